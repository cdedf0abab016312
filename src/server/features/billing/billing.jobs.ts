import { z } from 'zod'
import type { Deps } from '#server/deps.ts'
import { type AnyJob, defineJob } from '#server/jobs/jobs.ts'
import { closeBillingAccount, closeBillingAccountJob } from './close-billing-account.ts'
import { reconcile } from './reconcile.ts'

const reconcileName = 'reconcile-billing'

/** Jobs of billing and the schedules of those that run by the clock; the composition root registers both. */
export function billingJobs(deps: Deps): { jobs: AnyJob[]; schedules: { job: string; cron: string }[] } {
  const jobs = [
    defineJob({
      name: reconcileName,
      // The schedule sends no payload of its own.
      payload: z.unknown(),
      // The next hour comes anyway.
      retryLimit: 1,
      run: async () => {
        await reconcile(deps)
      },
    }),
    defineJob({
      ...closeBillingAccountJob,
      // With doubling pauses this outlasts any outage: nobody is charged after having left.
      retryLimit: 20,
      run: ({ customerId }) => closeBillingAccount(deps, customerId),
    }),
  ]
  return { jobs: jobs as AnyJob[], schedules: [{ job: reconcileName, cron: '17 * * * *' }] }
}
