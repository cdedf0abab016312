import type Stripe from 'stripe'
import type { cancelReasonKeys } from '#shared/contracts/billing.ts'
import type { Subscription } from '#shared/contracts/subscription.ts'
import { AppError } from '#shared/errors.ts'
import type { BillingDeps } from './billing-deps.ts'
import { type Actor, changeSubscription, idempotencyKeyFor, requireOnlyPlanBilled } from './change-subscription.ts'

type Leaving = { reason?: (typeof cancelReasonKeys)[number] | null; comment?: string | null; requestId: string }

const scheduledToEnd = (subscription: Stripe.Subscription) =>
  subscription.cancel_at_period_end || subscription.cancel_at !== null

/**
 * Ends the plan with the period that is paid. Where a renewal is unpaid there is no such period: it ends at once, and
 * what is open is not tried again. The reason goes to Stripe, where the publisher finds it with the others.
 */
export const cancelPlan = (
  deps: BillingDeps,
  who: Actor,
  { reason, comment, requestId }: Leaving,
): Promise<Subscription> =>
  changeSubscription(deps, who, 'cancel-plan', async (held) => {
    requireOnlyPlanBilled(deps, held)
    const { subscription } = held
    const details = { ...(reason && { feedback: reason }), ...(comment && { comment }) }
    switch (subscription.status) {
      case 'active':
      case 'trialing':
        if (scheduledToEnd(subscription)) return
        await deps.stripe.subscriptions.update(
          subscription.id,
          { cancel_at_period_end: true, cancellation_details: details },
          idempotencyKeyFor('cancel', held, requestId),
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
 * Takes a scheduled end back, whichever of Stripe's two fields holds it.
 * @throws AppError subscription_not_changeable when it has ended already
 */
export const resumePlan = (deps: BillingDeps, who: Actor, requestId: string): Promise<Subscription> =>
  changeSubscription(deps, who, 'resume-plan', async (held) => {
    const { subscription } = held
    if (subscription.ended_at !== null) throw new AppError('subscription_not_changeable')
    if (!scheduledToEnd(subscription)) return
    requireOnlyPlanBilled(deps, held)
    await deps.stripe.subscriptions.update(
      subscription.id,
      subscription.cancel_at_period_end ? { cancel_at_period_end: false } : { cancel_at: '' },
      idempotencyKeyFor('resume', held, requestId),
    )
  })
