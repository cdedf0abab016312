import { eq } from 'drizzle-orm'
import { firstOrNull } from '#server/db/first-or-null.ts'
import { memberFeeds } from '#server/db/schema/index.ts'
import type { Feature } from '#server/feature.ts'
import { implement } from '#server/http/product-calls.ts'
import { memberFeedCall } from '#shared/contracts/publishing/member-feed.ts'
import { announcementRoutes } from './announcement.routes.ts'
import { memberFeedAddress } from './member-feed.ts'
import { publicPagesRoutes } from './public-pages.routes.ts'

export const publicPagesFeature: Feature = {
  calls: (deps) => [
    implement(memberFeedCall, async ({ replace = false }, who) => ({
      url: await memberFeedAddress(deps, who.userId, replace),
    })),
  ],
  routes: (deps) => [announcementRoutes(deps), publicPagesRoutes(deps)],
  onAccountDeleted: async (tx, userId) => {
    await tx.delete(memberFeeds).where(eq(memberFeeds.userId, userId))
  },
  exportedData: {
    feed: {
      tables: ['public.member_feeds'],
      read: (tx, userId) =>
        firstOrNull(
          tx.select({ changedAt: memberFeeds.changedAt }).from(memberFeeds).where(eq(memberFeeds.userId, userId)),
        ),
    },
  },
}
