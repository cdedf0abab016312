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
}
