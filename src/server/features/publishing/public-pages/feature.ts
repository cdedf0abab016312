import type { Feature } from '#server/feature.ts'
import { implement } from '#server/http/product-calls.ts'
import { memberFeedCall } from '#shared/contracts/publishing/member-feed.ts'
import { adminPreviewPublicationCall } from '#shared/contracts/publishing/site-settings.ts'
import { announcementRoutes } from './announcement.routes.ts'
import { memberFeedAddress } from './member-feed.ts'
import { previewPublication } from './preview-publication.ts'
import { publicPagesRoutes } from './public-pages.routes.ts'

export const publicPagesFeature: Feature = {
  calls: (deps) => [
    implement(memberFeedCall, async ({ replace = false }, who) => ({
      url: await memberFeedAddress(deps, who.userId, replace),
    })),
    implement(adminPreviewPublicationCall, (draft) => previewPublication(deps, draft)),
  ],
  routes: (deps) => [announcementRoutes(deps), publicPagesRoutes(deps)],
}
