import type { Feature } from '#server/feature.ts'
import { assignmentEmailsJobs } from './assignment-emails.jobs.ts'

export const assignmentEmailsFeature: Feature = {
  jobs: assignmentEmailsJobs,
}
