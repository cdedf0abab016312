import type { Feature } from '#server/feature.ts'
import { contentCalls } from './content.calls.ts'
import { downloadRoutes } from './download.routes.ts'
import { guidePageRoutes } from './guide-pages.routes.ts'

export const contentFeature: Feature = {
  calls: contentCalls,
  routes: (deps) => [downloadRoutes(deps), guidePageRoutes(deps)],
}
