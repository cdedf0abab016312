import type { Feature } from '#server/feature.ts'
import { publicPagesRoutes } from './public-pages.routes.ts'

export const publicPagesFeature: Feature = {
  routes: (deps) => [publicPagesRoutes(deps)],
}
