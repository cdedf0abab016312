import type { Feature } from '#server/feature.ts'
import { exportRoutes } from './admin/export-deliveries.ts'
import { mailingCalls } from './admin/mailings.calls.ts'
import { exportedData } from './exported-data.ts'
import { mailingJobs } from './sending/mailings.jobs.ts'

export const mailingsFeature: Feature = {
  calls: mailingCalls,
  routes: (deps) => [exportRoutes(deps)],
  jobs: mailingJobs,
  exportedData,
}
