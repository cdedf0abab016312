import { z } from 'zod'
import type { Deps } from '#server/deps.ts'
import { defineJob, type FeatureJobs } from '#server/jobs/jobs.ts'
import { sendStaffEvents } from './send-staff-events.ts'
import { sendStaffSummary } from './send-staff-summary.ts'

export function staffEmailsJobs(deps: Deps): FeatureJobs {
  const job = defineJob({
    name: 'staff-emails',
    payload: z.unknown(),
    // The job runs again soon.
    retryLimit: 1,
    run: async () => {
      await sendStaffEvents(deps)
      await sendStaffSummary(deps)
    },
  })
  return { jobs: [job], schedules: [{ job: job.name, cron: '2-59/5 * * * *' }] }
}
