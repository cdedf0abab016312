import type { Deps } from '#server/feature.ts'
import { emailChangedJob } from '#server/features/identity/auth/users/email-changed-job.ts'
import { type AnyJob, defineJob, type FeatureJobs, scheduledJobs } from '#server/jobs/jobs.ts'
import type { BillingDeps } from './billing-deps.ts'
import { closeBillingAccount, closeBillingAccountJob } from './customers/close-billing-account.ts'
import { updateCustomerEmail } from './customers/ensure-customer.ts'
import { updateCustomerOwner, updateCustomerOwnerJob } from './customers/transfer-customer.ts'
import { enqueueScheduledNotices } from './notices/enqueue-notices.ts'
import { endDuePauses } from './plan-changes/pause-plan.ts'
import { processRecordedEvents, stripeEventsJob } from './webhooks/process-event.ts'
import { reconcile } from './webhooks/reconcile.ts'

/** Billing jobs and their cron schedules. */
export const subscriptionsJobs = (deps: Deps): FeatureJobs =>
  scheduledJobs(
    {
      'reconcile-billing': { cron: '17 * * * *', retryLimit: 1, run: () => reconcile(deps) },
      'end-due-pauses': { cron: '3 * * * *', retryLimit: 1, run: () => endDuePauses(deps) },
      'billing-notices': { cron: '41 */6 * * *', retryLimit: 1, run: () => enqueueScheduledNotices(deps) },
    },
    [
      stripeEventsJobOf(deps),
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
    ] as AnyJob[],
  )

/** Processes events that the webhook has stored. */
export const stripeEventsJobOf = (deps: BillingDeps) =>
  defineJob({
    ...stripeEventsJob,
    // Most of the time goes into waiting for Stripe. Events of one customer share a sync.
    parallel: 10,
    run: ({ events }) => processRecordedEvents(deps, events),
  })
