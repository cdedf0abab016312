import type { Feature } from '#server/feature.ts'
import { viewAsCalls } from './view-as.calls.ts'
import { viewAsJobs } from './view-as.jobs.ts'

export const viewAsFeature: Feature = {
  calls: viewAsCalls,
  jobs: viewAsJobs,
}
