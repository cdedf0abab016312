import type { Deps } from '#server/deps.ts'
import { type AnyJob, defineJob, type FeatureJobs } from '#server/jobs/jobs.ts'
import { bulkActionsJob, runBulkActions } from './bulk-actions.ts'

export function membersJobs(deps: Deps): FeatureJobs {
  const jobs = [defineJob({ ...bulkActionsJob, run: () => runBulkActions(deps) })]
  return { jobs: jobs as AnyJob[], schedules: [{ job: bulkActionsJob.name, cron: '* * * * *' }] }
}
