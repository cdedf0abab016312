import { eq, inArray, sql } from 'drizzle-orm'
import type Stripe from 'stripe'
import { batchByDatabase } from '#server/db/batch-writes.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { billingCustomer, counters, revenueCustomer, subscriptionState } from '#server/db/schema/index.ts'
import { entitlement, type SubscriptionFacts } from '#shared/domain/entitlement.ts'
import { type BillingDeps, fromSeconds } from '../billing-deps.ts'
import { hashCard } from '../checkout/trial-usage-of-cards.ts'
import { knownProductIds } from '../stripe/plan-ids.ts'
import { isLive } from './choose-subscription.ts'
import { planItemOf, planProductOf } from './plan-subscriptions.ts'
import type { CustomerState } from './read-customer-state.ts'

export type SubscriptionRow = typeof subscriptionState.$inferSelect

export async function findSubscriptionRow(db: Db | Tx, userId: string): Promise<SubscriptionRow | null> {
  const [row] = await db.select().from(subscriptionState).where(eq(subscriptionState.userId, userId))
  return row ?? null
}

const everyUser = new Date(0)

/**
 * Draws the number of a sync, increasing across all nodes. Draw it before reading Stripe. `atLeast` repairs a counter
 * restored from an older backup than the rows. Syncs that start at the same time draw different numbers with one statement.
 */
export const nextSyncSeq = batchByDatabase(async ({ db }, all: readonly number[]) => {
  const atLeast = Math.max(...all)
  const [row] = await db
    .insert(counters)
    .values({ name: 'billing_sync_seq', bucket: everyUser, value: atLeast + all.length })
    .onConflictDoUpdate({
      target: [counters.name, counters.bucket],
      set: { value: sql`greatest(${counters.value}, ${atLeast}) + ${all.length}` },
    })
    .returning({ value: counters.value })
  if (!row) throw new Error('The sync counter returned no row')
  return all.map((_, index) => row.value - index)
})

/** The row as a sync with this state stores it. */
export function rowOf(
  deps: BillingDeps,
  { userId, seq, state }: { userId: string; seq: number; state: CustomerState },
  before: SubscriptionRow | null,
) {
  const { subscription } = state
  const item = subscription ? planItemOf(deps, subscription) : undefined
  const facts: SubscriptionFacts = {
    status: subscription?.status ?? 'none',
    productId: planProductOf(deps, item?.price),
    currentPeriodStart: instant(item?.current_period_start),
    currentPeriodEnd: instant(item?.current_period_end),
    cancelAt: instant(
      subscription?.cancel_at ?? (subscription?.cancel_at_period_end ? item?.current_period_end : null),
    ),
    pauseStartsAt: state.pause?.startsAt ?? null,
    pauseEndsAt: state.pause?.endsAt ?? null,
    unpaidSince: state.unpaidSince,
    testClockTime: state.testClockTime,
  }
  const now = deps.clock()
  return {
    ...facts,
    userId,
    stripeSubscriptionId: subscription?.id ?? null,
    startedAt: instant(subscription?.start_date),
    discountEndsAt: instant(endOfDiscount(subscription)),
    priceId: item?.price.id ?? null,
    ...priceColumns(item),
    ...removedSeats(before, { subscription, item, productId: facts.productId }),
    invoiceDueAt: state.invoiceDueAt,
    endedAt: instant(subscription?.ended_at),
    cardExpiresAt: state.cardExpiresAt,
    cardHash: state.cardOwner && hashCard(deps, state.cardOwner),
    entitledUntil: entitlement(facts, now, knownProductIds(deps.config)).until,
    // Stays true, even if the trial's subscription was deleted with its customer.
    trialUsed: state.trialUsed || (before?.trialUsed ?? false),
    syncSeq: seq,
    syncedAt: now,
  }
}

function priceColumns(item: Stripe.SubscriptionItem | undefined) {
  const unitCents = item?.price.unit_amount ?? null
  const recurring = item?.price.recurring
  return {
    priceCents: unitCents === null ? null : unitCents * (item?.quantity ?? 1),
    priceCurrency: item?.price.currency ?? null,
    priceInterval: recurring?.interval ?? null,
    priceIntervalCount: recurring?.interval_count ?? null,
    quantity: item?.quantity ?? 1,
  }
}

function endOfDiscount(subscription: Stripe.Subscription | null): number | null {
  const ends = (subscription?.discounts ?? []).flatMap((one) => (typeof one === 'string' ? [] : (one.end ?? [])))
  return ends.length > 0 ? Math.min(...ends) : null
}

const noRemoval = { seatsAfterRenewal: null, seatsPaid: null, seatsChangeAt: null }

/** Seats to be removed at a renewal, until that has happened or the seats are changed in another way. */
function removedSeats(
  before: SubscriptionRow | null,
  {
    subscription,
    item,
    productId,
  }: { subscription: Stripe.Subscription | null; item: Stripe.SubscriptionItem | undefined; productId: string | null },
) {
  if (!before || !subscription || !item) return noRemoval
  const { seatsAfterRenewal, seatsPaid, seatsChangeAt } = before
  if (seatsAfterRenewal === null || seatsPaid === null || seatsChangeAt === null) return noRemoval
  const quantity = item.quantity ?? 1
  const isSame = before.stripeSubscriptionId === subscription.id && before.productId === productId
  const isExpected = quantity >= seatsAfterRenewal && quantity <= seatsPaid
  if (!isSame || !isExpected || !isLive(subscription)) return noRemoval
  const isDone = quantity === seatsAfterRenewal && fromSeconds(item.current_period_start) >= seatsChangeAt
  return isDone ? noRemoval : { seatsAfterRenewal, seatsPaid, seatsChangeAt }
}

const instant = (seconds: number | null | undefined): Date | null => (seconds == null ? null : fromSeconds(seconds))

/** Returns true if a sync with this state would leave the row unchanged. */
export function matchesState(deps: BillingDeps, row: SubscriptionRow, state: CustomerState): boolean {
  const found = { ...row, ...rowOf(deps, { userId: row.userId, seq: row.syncSeq, state }, row) }
  return row.testClockTime?.getTime() === found.testClockTime?.getTime() && !differs(row, found)
}

/** Returns true if the rows differ, ignoring when they were synced. */
export function differs(before: SubscriptionRow, after: SubscriptionRow): boolean {
  const comparable = ({ syncSeq: _seq, syncedAt: _at, testClockTime: _now, ...row }: SubscriptionRow) =>
    JSON.stringify(row)
  return comparable(before) !== comparable(after)
}

/** The rows of a customer as they were before the sync read Stripe. */
export type SyncTarget = {
  userId: string
  /** Number of the last sync that wrote anything. */
  syncSeq: number
  row: SubscriptionRow | null
  revenue: typeof revenueCustomer.$inferSelect | null
  /** Of the two rows. Any write changes them. */
  rowVersion: string | null
  revenueVersion: string | null
}

/** The customer's user and last sync. Null if the customer isn't ours. */
export const findSyncTarget = batchByDatabase(async ({ db }, customerIds: readonly string[]) => {
  const found = await db
    .select({
      customerId: billingCustomer.stripeCustomerId,
      userId: billingCustomer.userId,
      row: subscriptionState,
      revenue: revenueCustomer,
      rowVersion: sql<string | null>`${subscriptionState}.xmin::text`,
      revenueVersion: sql<string | null>`${revenueCustomer}.xmin::text`,
    })
    .from(billingCustomer)
    .leftJoin(subscriptionState, eq(subscriptionState.userId, billingCustomer.userId))
    .leftJoin(revenueCustomer, eq(revenueCustomer.customerId, billingCustomer.stripeCustomerId))
    .where(inArray(billingCustomer.stripeCustomerId, [...customerIds]))
  const byId = new Map(found.map(({ customerId, ...target }) => [customerId, target]))
  return customerIds.map((id): SyncTarget | null => {
    const target = byId.get(id)
    return target ? { ...target, syncSeq: Math.max(target.row?.syncSeq ?? 0, target.revenue?.syncSeq ?? 0) } : null
  })
})
