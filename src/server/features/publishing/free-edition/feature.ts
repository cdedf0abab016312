import type { Feature } from '#server/feature.ts'
import { freeEditionRoutes } from './free-edition.routes.ts'

export const freeEditionFeature: Feature = {
  routes: (deps) => [freeEditionRoutes(deps)],
}
