import type { Feature } from '#server/feature.ts'
import { exportRoutes } from './admin/export-deliveries.ts'
import { newsletterCalls } from './admin/newsletter.calls.ts'
import { exportedData } from './exported-data.ts'
import { newsletterJobs } from './sending/newsletter.jobs.ts'

export const newsletterFeature: Feature = {
  calls: newsletterCalls,
  routes: (deps) => [exportRoutes(deps)],
  jobs: newsletterJobs,
  exportedData,
}
