import type Stripe from 'stripe'
import type { cancelReasonKeys } from '#shared/contracts/billing/billing.ts'
import type { Subscription } from '#shared/contracts/billing/subscription.ts'
import { AppError } from '#shared/errors.ts'
import type { BillingDeps } from './billing-deps.ts'
import { type Actor, changeSubscription, idempotencyKeyFor, requireOnlyPlanBilled } from './change-subscription.ts'

type Cancellation = { reason?: (typeof cancelReasonKeys)[number] | null; comment?: string | null; requestId: string }

const scheduledToEnd = (subscription: Stripe.Subscription) =>
  subscription.cancel_at_period_end || subscription.cancel_at !== null

/**
 * Cancels the plan at the end of the paid period, or immediately when a renewal is unpaid, in which case open invoices
 * are no longer collected. The reason is stored at Stripe.
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
        await deps.stripe.subscriptions.update(
          subscription.id,
          { cancel_at_period_end: true, cancellation_details: details },
          idempotencyKeyFor('cancel', current, requestId),
        )
        return
      case 'past_due':
      case 'unpaid':
      case 'paused':
        await deps.stripe.subscriptions.cancel(subscription.id, {
          invoice_now: false,
          prorate: false,
          cancellation_details: details,
        })
    }
  })

/**
 * Undoes a scheduled cancellation, whether it is set as `cancel_at_period_end` or as `cancel_at`.
 * @throws AppError subscription_not_changeable if the subscription has already ended
 */
export const resumePlan = (deps: BillingDeps, who: Actor, requestId: string): Promise<Subscription> =>
  changeSubscription(deps, who, 'resume-plan', async (current) => {
    const { subscription } = current
    if (subscription.ended_at !== null) throw new AppError('subscription_not_changeable')
    if (!scheduledToEnd(subscription)) return
    requireOnlyPlanBilled(deps, current)
    await deps.stripe.subscriptions.update(
      subscription.id,
      subscription.cancel_at_period_end ? { cancel_at_period_end: false } : { cancel_at: '' },
      idempotencyKeyFor('resume', current, requestId),
    )
  })
