import type { Feature } from '#server/feature.ts'
import { feedbackCalls } from './feedback.calls.ts'
import { pollRoutes } from './poll.routes.ts'

export const feedbackFeature: Feature = {
  calls: feedbackCalls,
  routes: (deps) => [pollRoutes(deps)],
}
