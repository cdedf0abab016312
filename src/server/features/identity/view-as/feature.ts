import type { Feature } from '#server/feature.ts'
import { scheduledJobs } from '#server/jobs/jobs.ts'
import { viewAsCalls } from './view-as.calls.ts'
import { recordEndedViews } from './view-as.ts'

export const viewAsFeature: Feature = {
  calls: viewAsCalls,
  jobs: (deps) => scheduledJobs({ 'record-ended-views': { cron: '* * * * *', run: () => recordEndedViews(deps) } }),
}
