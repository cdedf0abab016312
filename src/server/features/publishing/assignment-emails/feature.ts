import type { Deps, Feature } from '#server/feature.ts'
import { assignedEmailJob } from '#server/features/reader/assignments/notify-assignees.ts'
import { taskQuestionJob } from '#server/features/reader/task-links/answer-task.ts'
import { defineJob, type FeatureJobs, scheduledJobs } from '#server/jobs/jobs.ts'
import { sendAssigned, sendWaiting } from './send-assigned.ts'
import { sendDeadlineReminders } from './send-deadline-reminders.ts'
import { sendReminders, sendSummaries } from './send-scheduled.ts'
import { sendTaskQuestion } from './send-task-question.ts'

/** Sends assignments at once, and reminders and summaries in the morning of their recipients. */
const assignmentEmailsJobs = (deps: Deps): FeatureJobs =>
  scheduledJobs(
    {
      'assignment-emails': {
        cron: '*/5 * * * *',
        retryLimit: 1,
        run: async () => {
          await sendWaiting(deps)
          await sendReminders(deps)
          await sendSummaries(deps)
          await sendDeadlineReminders(deps)
        },
      },
    },
    [
      defineJob({ ...assignedEmailJob, run: ({ userId }) => sendAssigned(deps, userId) }),
      defineJob({ ...taskQuestionJob, run: ({ answerId }) => sendTaskQuestion(deps, answerId) }),
    ],
  )

export const assignmentEmailsFeature: Feature = {
  jobs: assignmentEmailsJobs,
}
