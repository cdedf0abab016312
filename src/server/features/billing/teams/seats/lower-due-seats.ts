import { and, eq, isNotNull, lte, sql } from 'drizzle-orm'
import { isOnHold } from '#server/db/restore-hold.ts'
import { subscriptionState } from '#server/db/schema/index.ts'
import { type BillingDeps, fromSeconds } from '#server/features/billing/subscriptions/billing-deps.ts'
import {
  type CurrentSubscription,
  fetchCurrentSubscription,
} from '#server/features/billing/subscriptions/plan-changes/change-subscription.ts'
import { chargedNow } from '#server/features/billing/subscriptions/plan-changes/preview-change.ts'
import { describeFailure } from '#server/features/billing/subscriptions/stripe/stripe-errors.ts'
import { withLease } from '#server/features/billing/subscriptions/sync/lease.ts'
import {
  billsOtherProducts,
  loadAdoptedPrices,
  planItemOf,
} from '#server/features/billing/subscriptions/sync/plan-subscriptions.ts'
import { findSubscriptionRow } from '#server/features/billing/subscriptions/sync/subscription-row.ts'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import { dayMs } from '#shared/domain/durations.ts'

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
