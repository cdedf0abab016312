import { z } from 'zod'
import type { Deps } from '#server/deps.ts'
import { assignedEmailJob } from '#server/features/reader/assignments/notify-assignees.ts'
import { defineJob, type FeatureJobs } from '#server/jobs/jobs.ts'
import { sendAssigned, sendWaiting } from './send-assigned.ts'
import { sendReminders } from './send-reminders.ts'
import { sendSummaries } from './send-summaries.ts'

/** Sends assignments at once, and reminders and summaries in the morning of their recipients. */
export function assignmentEmailsJobs(deps: Deps): FeatureJobs {
  const hourly = 'assignment-emails'
  const jobs = [
    defineJob({ ...assignedEmailJob, run: ({ userId }) => sendAssigned(deps, userId) }),
    defineJob({
      name: hourly,
      payload: z.unknown(),
      // The job runs again soon.
      retryLimit: 1,
      run: async () => {
        await sendWaiting(deps)
        await sendReminders(deps)
        await sendSummaries(deps)
      },
    }),
  ]
  return { jobs: jobs, schedules: [{ job: hourly, cron: '*/5 * * * *' }] }
}
