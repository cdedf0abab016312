import type { Feature } from '#server/feature.ts'
import { scheduledJobs } from '#server/jobs/jobs.ts'
import { sendStaffEvents } from './send-staff-events.ts'
import { sendStaffSummary } from './send-staff-summary.ts'
import { staffEmailsCalls } from './staff-emails.calls.ts'

export const staffEmailsFeature: Feature = {
  calls: staffEmailsCalls,
  jobs: (deps) =>
    scheduledJobs({
      'staff-emails': {
        cron: '2-59/5 * * * *',
        retryLimit: 1,
        run: async () => {
          await sendStaffEvents(deps)
          await sendStaffSummary(deps)
        },
      },
    }),
}
