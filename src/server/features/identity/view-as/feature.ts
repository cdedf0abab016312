import type { Feature } from '#server/feature.ts'
import { exportedData } from './exported-data.ts'
import { viewAsCalls } from './view-as.calls.ts'
import { viewAsJobs } from './view-as.jobs.ts'
import { forgetViews } from './view-as.ts'

export const viewAsFeature: Feature = {
  calls: viewAsCalls,
  jobs: viewAsJobs,
  onAccountDeleted: forgetViews,
  exportedData,
}
