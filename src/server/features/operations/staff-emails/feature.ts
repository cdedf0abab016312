import type { Feature } from '#server/feature.ts'
import { staffEmailsCalls } from './staff-emails.calls.ts'
import { staffEmailsJobs } from './staff-emails.jobs.ts'

export const staffEmailsFeature: Feature = {
  calls: staffEmailsCalls,
  jobs: staffEmailsJobs,
}
