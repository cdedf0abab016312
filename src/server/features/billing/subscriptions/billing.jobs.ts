import { z } from 'zod'
import type { Deps } from '#server/deps.ts'
import { emailChangedJob } from '#server/features/identity/auth/users/email-changed-job.ts'
import { type AnyJob, defineJob, type FeatureJobs } from '#server/jobs/jobs.ts'
import { closeBillingAccount, closeBillingAccountJob } from './close-billing-account.ts'
import { enqueueScheduledNotices } from './enqueue-notices.ts'
import { reconcile } from './reconcile.ts'
import { updateCustomerOwner, updateCustomerOwnerJob } from './transfer-customer.ts'
import { updateCustomerEmail } from './update-customer-email.ts'

const reconcileName = 'reconcile-billing'
const noticesName = 'billing-notices'

/** Billing jobs and their cron schedules. */
export function billingJobs(deps: Deps): FeatureJobs {
  const jobs = [
    defineJob({
      name: reconcileName,
      // Scheduled runs have no payload.
      payload: z.unknown(),
      // The job runs again every hour.
      retryLimit: 1,
      run: async () => {
        await reconcile(deps)
      },
    }),
    defineJob({
      name: noticesName,
      payload: z.unknown(),
      retryLimit: 1,
      run: async () => {
        await enqueueScheduledNotices(deps)
      },
    }),
    defineJob({
      ...closeBillingAccountJob,
      // With exponential backoff this outlasts an outage, so a deleted account isn't charged again.
      retryLimit: 20,
      run: (closing) => closeBillingAccount(deps, closing),
    }),
    defineJob({ ...emailChangedJob, run: ({ userId }) => updateCustomerEmail(deps, userId) }),
    defineJob({
      ...updateCustomerOwnerJob,
      retryLimit: 20,
      run: ({ customerId }) => updateCustomerOwner(deps, customerId),
    }),
  ]
  return {
    jobs: jobs as AnyJob[],
    schedules: [
      { job: reconcileName, cron: '17 * * * *' },
      { job: noticesName, cron: '41 */6 * * *' },
    ],
  }
}
