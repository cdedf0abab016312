import type { Feature } from '#server/feature.ts'
import { deliverabilityCalls } from './deliverability.calls.ts'
import { deliverabilityJobs } from './deliverability.jobs.ts'
import { deliverabilityRoutes } from './deliverability.routes.ts'
import { exportedData } from './exported-data.ts'
import { eraseEmailRecords } from './on-account-deleted.ts'

export const deliverabilityFeature: Feature = {
  calls: deliverabilityCalls,
  routes: (deps) => [deliverabilityRoutes(deps)],
  jobs: deliverabilityJobs,
  onAccountDeleted: eraseEmailRecords,
  exportedData,
}
