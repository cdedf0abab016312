import type { Feature } from '#server/feature.ts'
import { backupCalls } from './backup.calls.ts'
import { backupJob, backupJobs } from './backup.jobs.ts'

export const backupFeature: Feature = {
  calls: backupCalls,
  jobs: backupJobs,
  enqueuedEarly: [backupJob],
}
