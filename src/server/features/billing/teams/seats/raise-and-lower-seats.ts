import { and, eq, isNotNull, lte, sql } from 'drizzle-orm'
import type Stripe from 'stripe'
import { isOnHold } from '#server/db/restore-hold.ts'
import { subscriptionState } from '#server/db/schema/index.ts'
import { type BillingDeps, fromSeconds, toSeconds } from '#server/features/billing/subscriptions/billing-deps.ts'
import {
  type Actor,
  type CurrentSubscription,
  changeSubscription,
  fetchCurrentSubscription,
  idempotencyKeyFor,
} from '#server/features/billing/subscriptions/plan-changes/change-subscription.ts'
import {
  amountHasChanged,
  chargedNow,
  costOf,
  isTrialing,
  previewInvoice,
  requireChangeable,
  requireFresh,
  wholePeriod,
} from '#server/features/billing/subscriptions/plan-changes/switch-plan.ts'
import { appliesToNextRenewal, findPriceChange } from '#server/features/billing/subscriptions/price-change.ts'
import { withStayDiscountLater } from '#server/features/billing/subscriptions/retention/stay-discount.ts'
import { describeFailure, withStripeErrors } from '#server/features/billing/subscriptions/stripe/stripe-errors.ts'
import { withLease } from '#server/features/billing/subscriptions/sync/lease.ts'
import {
  billsOtherProducts,
  loadAdoptedPrices,
  planItemOf,
  planOfStripePrice,
} from '#server/features/billing/subscriptions/sync/plan-subscriptions.ts'
import {
  findSubscriptionRow,
  type SubscriptionRow,
} from '#server/features/billing/subscriptions/sync/subscription-row.ts'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import type { Subscription } from '#shared/contracts/billing/subscription.ts'
import type { SeatsPreview } from '#shared/contracts/billing/teams.ts'
import { dayMs } from '#shared/domain/durations.ts'
import { formatDay } from '#shared/domain/format.ts'
import { findPlan } from '#shared/domain/plans.ts'
import { AppError } from '#shared/errors.ts'

/**
 * Previews the cost of more seats: the rest of the period now, and all seats with the next renewal.
 * @param seats the new total
 * @throws AppError validation_failed, no_billing_account, subscription_not_changeable, stripe_unavailable
 */
export async function previewSeats(deps: BillingDeps, who: Actor, seats: number): Promise<SeatsPreview> {
  return withStripeErrors(deps, 'preview-seats', async () => {
    const current = await fetchCurrentSubscription(deps, who.userId)
    const { item, row } = await requireMoreSeats(deps, who.userId, current, seats)
    const prorationDate = toSeconds(current.now)
    const change = await findPriceChange(deps, deps.database.db, row)
    const price = (change && appliesToNextRenewal(change, row) && change.pendingPriceId) || item.price.id
    const invoice = isTrialing(current)
      ? null
      : await previewInvoice(deps, current, { id: item.id, quantity: seats }, chargedNow(prorationDate))
    const next = await previewInvoice(
      deps,
      current,
      { id: item.id, price, quantity: seats },
      { proration_behavior: 'none' },
    )
    return {
      dueTodayCents: invoice?.amount_due ?? 0,
      currency: item.price.currency,
      nextAt: fromSeconds(item.current_period_end).toISOString(),
      nextCents: costOf(wholePeriod(next), () => true),
      prorationDate,
    }
  })
}

type Wanted = { seats: number; prorationDate: number; dueTodayCents: number; requestId: string }

/**
 * Adds seats and charges the rest of the period immediately. If the card is declined, the seats stay as they are.
 * @throws AppError validation_failed if the preview is out of date; errors of `changeSubscription`
 */
export async function addSeats(deps: BillingDeps, who: Actor, wanted: Wanted): Promise<Subscription> {
  const { seats, prorationDate, dueTodayCents, requestId } = wanted
  return changeSubscription(deps, who, 'add-seats', async (current) => {
    // Added already, by a double click or after a lost answer.
    if (planItemOf(deps, current.subscription)?.quantity === seats) return
    const { item } = await requireMoreSeats(deps, who.userId, current, seats)
    requireFresh(current, prorationDate)
    const items = [{ id: item.id, quantity: seats }]
    const due = isTrialing(current)
      ? 0
      : (await previewInvoice(deps, current, { id: item.id, quantity: seats }, chargedNow(prorationDate))).amount_due
    if (due !== dueTodayCents) throw amountHasChanged()
    await deps.stripe.subscriptions.update(
      current.subscription.id,
      {
        items,
        ...(!isTrialing(current) && {
          ...chargedNow(prorationDate),
          ...withStayDiscountLater(current.subscription),
        }),
        payment_behavior: 'error_if_incomplete',
      },
      idempotencyKeyFor('add-seats', current, requestId),
    )
  })
}

/** @throws AppError subscription_not_changeable, validation_failed */
async function requireMoreSeats(
  deps: BillingDeps,
  userId: string,
  current: CurrentSubscription,
  seats: number,
): Promise<{ item: Stripe.SubscriptionItem; row: SubscriptionRow }> {
  await loadAdoptedPrices(deps)
  const item = requireChangeable(deps, current)
  requirePerSeat(deps, item)
  const row = await findSubscriptionRow(deps.database.db, userId)
  if (!row) throw new AppError('no_billing_account')
  if (row.seatsAfterRenewal !== null && row.seatsChangeAt) {
    throw new AppError('validation_failed', {
      message: `Some of your seats end on ${formatDay(row.seatsChangeAt)}. Keep them before you add more.`,
    })
  }
  const quantity = item.quantity ?? 1
  if (seats <= quantity) {
    throw new AppError('validation_failed', {
      message: `Your team has ${quantity} seats now. Reload the page to see them.`,
    })
  }
  return { item, row }
}

/** @throws AppError validation_failed for a plan with a fixed number of people */
function requirePerSeat(deps: BillingDeps, { price }: Stripe.SubscriptionItem): void {
  const plan = findPlan(deps.config.settings.publication, planOfStripePrice(deps, price))
  if (plan?.perSeat) return
  throw new AppError('validation_failed', {
    message: 'Your plan has a fixed number of seats. For more, switch to another plan under Account > Billing.',
  })
}

/** Long enough to outlast an outage, short enough that revenue counts what is paid. */
const aheadDays = 3

/** Lowers the quantities at Stripe whose renewal is near. One that fails is tried again in the next hour. */
export async function lowerDueSeats(deps: BillingDeps): Promise<void> {
  const { db } = deps.database
  if (await isOnHold(db)) return
  const now = sql`coalesce(${subscriptionState.testClockTime}, ${deps.clock().toISOString()}::timestamptz)`
  const due = await db
    .select({ userId: subscriptionState.userId })
    .from(subscriptionState)
    .where(
      and(
        isNotNull(subscriptionState.seatsChangeAt),
        lte(sql`${subscriptionState.seatsChangeAt} - make_interval(days => ${aheadDays})`, now),
      ),
    )
  for (const { userId } of due) {
    try {
      await withLease(deps, `billing:${userId}`, () => lowerSeats(deps, userId))
    } catch (error) {
      deps.logger.warn({ userId, ...describeFailure(error) }, 'seats could not be lowered before the renewal')
    }
  }
}

async function lowerSeats(deps: BillingDeps, userId: string): Promise<void> {
  await loadAdoptedPrices(deps)
  const current = await fetchCurrentSubscription(deps, userId)
  const seats = await findSeatsToLower(deps, userId, current)
  if (seats) {
    const { item, quantity, isRenewed } = seats
    await deps.stripe.subscriptions.update(current.subscription.id, {
      items: [{ id: item.id, quantity }],
      // The renewal has charged the removed seats: credit them from its start.
      ...(isRenewed ? chargedNow(item.current_period_start) : { proration_behavior: 'none' }),
    })
  }
  await syncCustomer(deps, current.customerId)
}

/** Null if nothing is to be changed now. */
async function findSeatsToLower(deps: BillingDeps, userId: string, { subscription, now }: CurrentSubscription) {
  const { db } = deps.database
  const row = await findSubscriptionRow(db, userId)
  const item = planItemOf(deps, subscription)
  if (!item || !row?.seatsAfterRenewal || !row.seatsPaid || !row.seatsChangeAt) return null
  const isActive = subscription.status === 'active' || subscription.status === 'trialing'
  const willEnd = subscription.cancel_at !== null || subscription.cancel_at_period_end
  if (!isActive || willEnd || subscription.pause_collection || billsOtherProducts(deps, subscription)) return null
  const paid = item.quantity ?? 1
  if (paid <= row.seatsAfterRenewal || paid > row.seatsPaid) return null
  const quantity = row.seatsAfterRenewal
  const periodStart = fromSeconds(item.current_period_start)
  if (periodStart.getTime() === row.seatsChangeAt.getTime()) return { item, quantity, isRenewed: true }
  const renewal = fromSeconds(item.current_period_end)
  if (renewal.getTime() !== row.seatsChangeAt.getTime()) {
    // A pause or a change of the period moved the renewal.
    await db.update(subscriptionState).set({ seatsChangeAt: renewal }).where(eq(subscriptionState.userId, userId))
  }
  return renewal.getTime() - now.getTime() <= aheadDays * dayMs ? { item, quantity, isRenewed: false } : null
}
