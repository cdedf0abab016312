import type { Feature } from '#server/feature.ts'
import { mediaRoutes } from './media.routes.ts'
import { publishingCalls } from './publishing.calls.ts'
import { publishingJobs } from './publishing.jobs.ts'

export const documentsFeature: Feature = {
  calls: publishingCalls,
  routes: (deps) => [mediaRoutes(deps)],
  jobs: publishingJobs,
}
