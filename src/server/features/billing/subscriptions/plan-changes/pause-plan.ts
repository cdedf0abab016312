import { and, eq, lte, ne, or, sql } from 'drizzle-orm'
import type Stripe from 'stripe'
import { isOnHold } from '#server/db/restore-hold.ts'
import { subscriptionState } from '#server/db/schema/index.ts'
import type { Subscription } from '#shared/contracts/billing/subscription.ts'
import { addMonths } from '#shared/domain/add-months.ts'
import { AppError } from '#shared/errors.ts'
import { type BillingDeps, fromSeconds, idOf, toSeconds } from '../billing-deps.ts'
import { describeFailure } from '../stripe/stripe-errors.ts'
import { planItemOf } from '../sync/plan-subscriptions.ts'
import {
  type Actor,
  type CurrentSubscription,
  changeSubscription,
  idempotencyKeyFor,
  requireOnlyPlanBilled,
  requirePaidByCard,
} from './change-subscription.ts'
import { findPause, noPause } from './pause.ts'

/** Payments continue this long before the renewal, so that its invoice is surely charged. */
const resumeBeforeRenewalSeconds = 60 * 60

/** @throws AppError errors of `pauseCurrentPlan` and `changeSubscription` */
export const pausePlan = (
  deps: BillingDeps,
  who: Actor,
  pause: { months: number; requestId: string },
): Promise<Subscription> =>
  changeSubscription(deps, who, 'pause-plan', (current) => pauseCurrentPlan(deps, current, pause))

/**
 * Pauses a plan at the end of the paid period, so that the member uses what they paid for and nothing has to be credited.
 * Does nothing if it is paused already, as by a click in another tab. Stripe ends the pause of a monthly plan shortly before
 * a renewal. With a longer period, access would be free until the next renewal, so `endDuePauses` ends those.
 * @throws AppError subscription_not_changeable, also for a plan with a failed payment
 */
export async function pauseCurrentPlan(
  deps: BillingDeps,
  current: CurrentSubscription,
  { months, requestId }: { months: number; requestId: string },
): Promise<void> {
  requireOnlyPlanBilled(deps, current)
  requirePaidByCard(current)
  const { subscription } = current
  if (subscription.pause_collection) return
  await requirePausable(deps, subscription)
  const recurring = recurringOf(deps, subscription)
  const end = endOfPause(subscription, recurring, months)
  await deps.stripe.subscriptions.update(
    subscription.id,
    isMonthly(recurring)
      ? { pause_collection: { behavior: 'void', resumes_at: end }, metadata: { pause_ends_at: '' } }
      : { pause_collection: { behavior: 'void' }, metadata: { pause_ends_at: String(end) } },
    idempotencyKeyFor('pause', current, requestId),
  )
}

async function requirePausable(deps: BillingDeps, subscription: Stripe.Subscription): Promise<void> {
  const { status, latest_invoice: latest, cancel_at: cancelAt, cancel_at_period_end: isEnding } = subscription
  const interval = recurringOf(deps, subscription)?.interval
  if (status === 'past_due' || status === 'unpaid') throw unpaid()
  if (status !== 'active' || cancelAt !== null || isEnding || !interval)
    throw new AppError('subscription_not_changeable')
  const id = idOf(latest)
  const invoice = id ? await deps.stripe.invoices.retrieve(id) : null
  // Stripe would void a draft, so the period that has just begun would be free.
  if (invoice?.status === 'draft') throw renewing()
  if (invoice?.status === 'open') throw unpaid()
}

const recurringOf = (deps: BillingDeps, subscription: Stripe.Subscription) =>
  planItemOf(deps, subscription)?.price.recurring
const isMonthly = (recurring: Stripe.Price.Recurring | null | undefined) =>
  recurring?.interval === 'month' && recurring.interval_count === 1

const unpaid = () =>
  new AppError('subscription_not_changeable', {
    message: 'Your last payment failed, so your plan can’t be paused. Pay the open invoice first.',
  })

const renewing = () =>
  new AppError('subscription_not_changeable', {
    message: 'Your plan is renewing right now. Try again in an hour.',
  })

/**
 * Shortly before the renewal that many months after the paid period. Counted from the anchor, as Stripe counts, or from the
 * end of the paid period if that can be any day of a month.
 */
function endOfPause(
  { billing_cycle_anchor: anchor, items }: Stripe.Subscription,
  recurring: Stripe.Price.Recurring | null | undefined,
  months: number,
): number {
  const paidUntil = fromSeconds(items.data[0]?.current_period_end ?? anchor)
  const isByMonths = recurring?.interval === 'month' || recurring?.interval === 'year'
  const start = isByMonths ? fromSeconds(anchor) : paidUntil
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
      ...noPause,
      ...(pause.startsAt <= now && { ...newPeriod, payment_behavior: 'error_if_incomplete' as const }),
    },
    idempotencyKeyFor('end-pause', current, requestId),
  )
}

const newPeriod = { billing_cycle_anchor: { type: 'now' }, proration_behavior: 'none' } as const

/**
 * Ends due pauses of plans that aren't paid by the month and charges for a new period. A declined card counts as a failed
 * renewal: access for the grace period, and Stripe's retries. Calls that fail are repeated the next hour.
 */
export async function endDuePauses(deps: BillingDeps): Promise<void> {
  const { db } = deps.database
  if (await isOnHold(db)) return
  const now = sql`coalesce(${subscriptionState.testClockTime}, ${deps.clock().toISOString()}::timestamptz)`
  const isLong = or(ne(subscriptionState.priceInterval, 'month'), ne(subscriptionState.priceIntervalCount, 1))
  const due = await db
    .select({ userId: subscriptionState.userId })
    .from(subscriptionState)
    .where(and(eq(subscriptionState.status, 'active'), lte(subscriptionState.pauseEndsAt, now), isLong))
  for (const who of due) {
    try {
      await changeSubscription(deps, who, 'end-due-pause', async (current) => {
        const { subscription } = current
        const endsAt = (await findPause(deps, subscription))?.endsAt
        if (!endsAt || endsAt > current.now || subscription.pause_collection?.resumes_at) return
        if (subscription.status !== 'active') return
        const key = idempotencyKeyFor('end-due-pause', current, endsAt.toISOString())
        await deps.stripe.subscriptions.update(subscription.id, { ...noPause, ...newPeriod }, key)
      })
    } catch (error) {
      deps.logger.warn({ ...who, ...describeFailure(error) }, 'ending a pause failed; it is tried again')
    }
  }
}
