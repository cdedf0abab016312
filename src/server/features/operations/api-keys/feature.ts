import type { Feature } from '#server/feature.ts'
import { apiKeysCalls } from './api-keys.calls.ts'
import { deleteApiAnswers } from './on-account-deleted.ts'
import { publicApiRoutes } from './public-api.routes.ts'

export const apiKeysFeature: Feature = {
  calls: apiKeysCalls,
  routes: (deps) => [publicApiRoutes(deps)],
  onAccountDeleted: deleteApiAnswers,
}
