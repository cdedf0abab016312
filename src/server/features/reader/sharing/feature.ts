import type { Feature } from '#server/feature.ts'
import { sharingCalls } from './sharing.calls.ts'
import { sharingRoutes } from './sharing.routes.ts'

export const sharingFeature: Feature = {
  calls: sharingCalls,
  routes: (deps) => [sharingRoutes(deps)],
}
