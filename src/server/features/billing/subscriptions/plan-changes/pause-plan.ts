import type Stripe from 'stripe'
import { addMonths } from '#shared/domain/add-months.ts'
import { AppError } from '#shared/errors.ts'
import { type BillingDeps, fromSeconds, idOf, toSeconds } from '../billing-deps.ts'
import { planItemOf } from '../sync/plan-subscriptions.ts'
import { type CurrentSubscription, idempotencyKeyFor, requireOnlyPlanBilled } from './change-subscription.ts'
import { findPause } from './pause.ts'

/** Payments continue this long before the renewal, so that its invoice is surely charged. */
const resumeBeforeRenewalSeconds = 60 * 60

/**
 * Pauses a monthly plan at the end of the paid period, so that the member uses what they paid for and nothing has to be
 * credited. Does nothing if it is paused already, as by a click in another tab.
 * @throws AppError subscription_not_changeable, also for a plan with a failed payment
 */
export async function pausePlan(
  deps: BillingDeps,
  current: CurrentSubscription,
  { months, requestId }: { months: number; requestId: string },
): Promise<void> {
  requireOnlyPlanBilled(deps, current)
  const { subscription } = current
  if (subscription.pause_collection) return
  await requirePausable(deps, subscription)
  await deps.stripe.subscriptions.update(
    subscription.id,
    { pause_collection: { behavior: 'void', resumes_at: endOfPause(subscription, months) } },
    idempotencyKeyFor('pause', current, requestId),
  )
}

async function requirePausable(deps: BillingDeps, subscription: Stripe.Subscription): Promise<void> {
  const { status, latest_invoice: latest, cancel_at: cancelAt, cancel_at_period_end: isEnding } = subscription
  const recurring = planItemOf(deps, subscription)?.price.recurring
  const isMonthly = recurring?.interval === 'month' && recurring.interval_count === 1
  if (status === 'past_due' || status === 'unpaid') throw unpaid()
  if (status !== 'active' || cancelAt !== null || isEnding || !isMonthly)
    throw new AppError('subscription_not_changeable')
  const id = idOf(latest)
  const invoice = id ? await deps.stripe.invoices.retrieve(id) : null
  // Stripe would void a draft, so the month that has just begun would be free.
  if (invoice?.status === 'draft') throw renewing()
  if (invoice?.status === 'open') throw unpaid()
}

const unpaid = () =>
  new AppError('subscription_not_changeable', {
    message: 'Your last payment failed, so your plan can’t be paused. Pay the open invoice first.',
  })

const renewing = () =>
  new AppError('subscription_not_changeable', {
    message: 'Your plan is renewing right now. Try again in an hour.',
  })

/** Shortly before the renewal that many months after the paid period. Counted from the anchor, as Stripe counts. */
function endOfPause({ billing_cycle_anchor: anchor, items }: Stripe.Subscription, months: number): number {
  const start = fromSeconds(anchor)
  const paidUntil = fromSeconds(items.data[0]?.current_period_end ?? anchor)
  const before =
    (paidUntil.getUTCFullYear() - start.getUTCFullYear()) * 12 + paidUntil.getUTCMonth() - start.getUTCMonth()
  return toSeconds(addMonths(start, before + months)) - resumeBeforeRenewalSeconds
}

/**
 * Ends a pause. Before it has begun, the plan just renews as usual. After that, the current period isn't paid, so a new one
 * begins and is charged now; if the card is declined, the pause stays. The status `paused` is a pause of Stripe's own.
 */
export async function endPause(deps: BillingDeps, current: CurrentSubscription, requestId: string): Promise<void> {
  const { subscription, now } = current
  if (subscription.status === 'paused') {
    requireOnlyPlanBilled(deps, current)
    const options = idempotencyKeyFor('end-pause', current, requestId)
    const behavior = { payment_behavior: 'resume_on_payment_success' }
    const { status } = await deps.stripe.subscriptions.resume(subscription.id, behavior, options)
    if (status === 'paused') throw new AppError('payment_failed')
    return
  }
  const pause = await findPause(deps, subscription)
  if (!pause) return
  requireOnlyPlanBilled(deps, current)
  if (subscription.status !== 'active') throw new AppError('subscription_not_changeable')
  await deps.stripe.subscriptions.update(
    subscription.id,
    {
      pause_collection: '',
      ...(pause.startsAt <= now && {
        billing_cycle_anchor: { type: 'now' as const },
        proration_behavior: 'none' as const,
        payment_behavior: 'error_if_incomplete' as const,
      }),
    },
    idempotencyKeyFor('end-pause', current, requestId),
  )
}
