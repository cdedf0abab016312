import type { Deps, Feature } from '#server/feature.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { scheduledJobs } from '#server/jobs/jobs.ts'
import { adminStaffEmailsCall } from '#shared/contracts/operations/staff-emails.ts'
import { chooseStaffEmail, readStaffEmails } from './choose-staff-email.ts'
import { sendStaffEvents, sendStaffSummary } from './send-staff-emails.ts'

const staffEmailsCalls = (deps: Deps): Implementation[] => [
  implement(adminStaffEmailsCall, async ({ save }, who) => {
    if (save) await chooseStaffEmail(deps, who, save)
    return { items: await readStaffEmails(deps, who) }
  }),
]

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
