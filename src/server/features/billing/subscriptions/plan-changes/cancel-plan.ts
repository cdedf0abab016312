import type Stripe from 'stripe'
import type { cancelReasonKeys } from '#shared/contracts/billing/billing.ts'
import type { Subscription } from '#shared/contracts/billing/subscription.ts'
import { AppError } from '#shared/errors.ts'
import type { BillingDeps } from '../billing-deps.ts'
import {
  type Actor,
  type CurrentSubscription,
  changeSubscription,
  idempotencyKeyFor,
  requireOnlyPlanBilled,
} from './change-subscription.ts'
import { findPause, noPause } from './pause.ts'
import { endPause } from './pause-plan.ts'

type Cancellation = { reason?: (typeof cancelReasonKeys)[number] | null; comment?: string | null; requestId: string }

const scheduledToEnd = (subscription: Stripe.Subscription) =>
  subscription.cancel_at_period_end || subscription.cancel_at !== null

/**
 * Cancels the plan at the end of the paid period, or immediately during a pause or when a renewal is unpaid, in which
 * case open invoices are no longer collected. The reason is stored at Stripe.
 */
export const cancelPlan = (
  deps: BillingDeps,
  who: Actor,
  { reason, comment, requestId }: Cancellation,
): Promise<Subscription> =>
  changeSubscription(deps, who, 'cancel-plan', async (current) => {
    requireOnlyPlanBilled(deps, current)
    const { subscription } = current
    const details = { ...(reason && { feedback: reason }), ...(comment && { comment }) }
    switch (subscription.status) {
      case 'active':
      case 'trialing':
        if (scheduledToEnd(subscription)) return
        if (await hasPauseStarted(deps, current)) return cancelNow(deps, subscription, details)
        await deps.stripe.subscriptions.update(
          subscription.id,
          {
            cancel_at_period_end: true,
            cancellation_details: details,
            ...(subscription.pause_collection && noPause),
          },
          idempotencyKeyFor('cancel', current, requestId),
        )
        return
      case 'past_due':
      case 'unpaid':
      case 'paused':
        await cancelNow(deps, subscription, details)
    }
  })

const cancelNow = (
  { stripe }: BillingDeps,
  { id }: Stripe.Subscription,
  cancellation_details: Stripe.SubscriptionCancelParams.CancellationDetails,
) => stripe.subscriptions.cancel(id, { invoice_now: false, prorate: false, cancellation_details })

/** Nothing is left of the paid period then, so there is no access to keep. */
async function hasPauseStarted(deps: BillingDeps, { subscription, now }: CurrentSubscription): Promise<boolean> {
  const pause = await findPause(deps, subscription)
  return pause !== null && pause.startsAt <= now
}

/**
 * Undoes a scheduled cancellation, whether it is set as `cancel_at_period_end` or as `cancel_at`, or ends a pause.
 * @throws AppError subscription_not_changeable if the subscription has already ended; payment_failed
 */
export const resumePlan = (deps: BillingDeps, who: Actor, requestId: string): Promise<Subscription> =>
  changeSubscription(deps, who, 'resume-plan', async (current) => {
    const { subscription } = current
    if (subscription.ended_at !== null) throw new AppError('subscription_not_changeable')
    if (!scheduledToEnd(subscription)) return endPause(deps, current, requestId)
    requireOnlyPlanBilled(deps, current)
    await deps.stripe.subscriptions.update(
      subscription.id,
      subscription.cancel_at_period_end ? { cancel_at_period_end: false } : { cancel_at: '' },
      idempotencyKeyFor('resume', current, requestId),
    )
  })
