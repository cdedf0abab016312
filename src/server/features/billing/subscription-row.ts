import { eq, inArray, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import {
  billingCustomer,
  counters,
  pendingCheckout,
  revenueCustomer,
  stripeEvent,
  subscriptionState,
} from '#server/db/schema/index.ts'
import { entitlement, type SubscriptionFacts } from '#shared/domain/entitlement.ts'
import { type BillingDeps, fromSeconds, idOf } from './billing-deps.ts'
import { isLive } from './choose-subscription.ts'
import { detachCustomer, findCustomerId } from './customer.ts'
import { reportDuplicates } from './duplicate-subscriptions.ts'
import { enqueueNotices } from './enqueue-notices.ts'
import { knownProductIds } from './plan-ids.ts'
import { planItemOf } from './plan-subscriptions.ts'
import type { CustomerState } from './read-customer-state.ts'
import type { FetchedRevenueRecords } from './revenue/fetch-revenue-records.ts'
import { writeRevenueRecords } from './revenue/write-revenue-records.ts'
import { reportRefusedTrials } from './trial-card-usage.ts'
import { recordTrialUsage } from './trial-usage.ts'

export type SubscriptionRow = typeof subscriptionState.$inferSelect

export async function findSubscriptionRow(db: Db | Tx, userId: string): Promise<SubscriptionRow | null> {
  const [row] = await db.select().from(subscriptionState).where(eq(subscriptionState.userId, userId))
  return row ?? null
}

const everyUser = new Date(0)

/**
 * The number of a look at Stripe, drawn before looking; it rises across all nodes. `atLeast` heals a counter that was
 * restored from an older copy than the rows.
 */
export async function nextSyncSeq(db: Db, atLeast: number): Promise<number> {
  const [row] = await db
    .insert(counters)
    .values({ name: 'billing_sync_seq', bucket: everyUser, value: atLeast + 1 })
    .onConflictDoUpdate({
      target: [counters.name, counters.bucket],
      set: { value: sql`greatest(${counters.value}, ${atLeast}) + 1` },
    })
    .returning({ value: counters.value })
  if (!row) throw new Error('the counter of syncs gave no number')
  return row.value
}

export type SyncFinding = {
  userId: string
  customerId: string
  seq: number
  state: CustomerState
  /** Null when there is nothing new to book. */
  books: FetchedRevenueRecords | null
  eventIds: readonly string[]
}

export type Written = { row: SubscriptionRow; changed: boolean }

/**
 * Writes what was found, if nothing newer has been written, together with the mark on the events that asked for it.
 * Answers the row that stands now and whether this changed it, or null when the customer ceased to be the user's in the
 * meantime.
 */
export function writeSyncResult(deps: BillingDeps, finding: SyncFinding): Promise<Written | null> {
  const { userId, customerId, seq, state, books, eventIds } = finding
  return deps.database.db.transaction(async (tx) => {
    if (eventIds.length > 0) {
      await tx
        .update(stripeEvent)
        .set({ processedAt: deps.clock(), lastError: null })
        .where(inArray(stripeEvent.id, [...eventIds]))
    }
    if ((await findCustomerId(tx, userId)) !== customerId) {
      // The books hang on the customer, and the events above ask for no further look.
      if (books) await writeRevenueRecords(tx, { customerId, seq }, books)
      return null
    }
    // Locked, so that of two nodes which saw the same change only one finds the row as it was.
    const [before = null] = await tx
      .select()
      .from(subscriptionState)
      .where(eq(subscriptionState.userId, userId))
      .for('update')
    const row = rowOf(deps, finding, before)
    const [written] = await tx
      .insert(subscriptionState)
      .values(row)
      .onConflictDoUpdate({
        target: subscriptionState.userId,
        set: row,
        setWhere: sql`${subscriptionState.syncSeq} < ${seq}`,
      })
      .returning()
    if (written) {
      await enqueueNotices(tx, deps, before, written)
      if (state.trialStarted && !before?.trialUsed) await recordTrialUsage(tx, deps, userId)
      if (state.gone) await detachCustomer(tx, userId, customerId)
      // Nothing left to wait for: a checkout ends in a live subscription.
      if (state.subscription && isLive(state.subscription)) {
        await tx.delete(pendingCheckout).where(eq(pendingCheckout.userId, userId))
      }
    }
    const keptProductId = idOf(state.subscription && planItemOf(deps, state.subscription)?.price.product)
    await reportRefusedTrials(tx, deps, userId, state.refusedTrials)
    await reportDuplicates(tx, deps, { userId, keptProductId }, state.duplicates)
    const stands = written ?? (await findSubscriptionRow(tx, userId))
    if (!stands) throw new Error('the subscription row vanished while it was written')
    if (books) await writeRevenueRecords(tx, { customerId, seq }, books)
    return { row: stands, changed: written !== undefined && (before === null || differs(before, written)) }
  })
}

function rowOf(
  deps: BillingDeps,
  { userId, seq, state }: Pick<SyncFinding, 'userId' | 'seq' | 'state'>,
  before: SubscriptionRow | null,
) {
  const { subscription } = state
  const item = subscription ? planItemOf(deps, subscription) : undefined
  const facts: SubscriptionFacts = {
    status: subscription?.status ?? 'none',
    productId: idOf(item?.price.product),
    currentPeriodStart: instant(item?.current_period_start),
    currentPeriodEnd: instant(item?.current_period_end),
    cancelAt: instant(
      subscription?.cancel_at ?? (subscription?.cancel_at_period_end ? item?.current_period_end : null),
    ),
    unpaidSince: state.unpaidSince,
    testClockTime: state.testClockTime,
  }
  const now = deps.clock()
  return {
    ...facts,
    userId,
    stripeSubscriptionId: subscription?.id ?? null,
    priceId: item?.price.id ?? null,
    endedAt: instant(subscription?.ended_at),
    cardExpiresAt: state.cardExpiresAt,
    entitledUntil: entitlement(facts, now, knownProductIds(deps.config)).until,
    // Once used, always used: the subscription it was used on may vanish with its customer.
    trialUsed: state.trialUsed || (before?.trialUsed ?? false),
    syncSeq: seq,
    syncedAt: now,
  }
}

const instant = (seconds: number | null | undefined): Date | null => (seconds == null ? null : fromSeconds(seconds))

/** Whether a look that finds this would leave the row as it is. */
export function matchesState(deps: BillingDeps, row: SubscriptionRow, state: CustomerState): boolean {
  const found = { ...row, ...rowOf(deps, { userId: row.userId, seq: row.syncSeq, state }, row) }
  return row.testClockTime?.getTime() === found.testClockTime?.getTime() && !differs(row, found)
}

/** Whether the rows say different things; when and in which turn they were read does not count. */
function differs(before: SubscriptionRow, after: SubscriptionRow): boolean {
  const saying = ({ syncSeq: _seq, syncedAt: _at, testClockTime: _now, ...row }: SubscriptionRow) => JSON.stringify(row)
  return saying(before) !== saying(after)
}

export type SyncTarget = {
  userId: string
  /** The newest turn that has written anything. */
  syncSeq: number
  /** What the books were made of. */
  stateHash: string | null
}

/** The customer's user, and what stands of them, in one query. */
export async function findSyncTarget(db: Db, customerId: string): Promise<SyncTarget | null> {
  const [row] = await db
    .select({
      userId: billingCustomer.userId,
      syncSeq: sql<number>`greatest(${subscriptionState.syncSeq}, ${revenueCustomer.syncSeq}, 0)`.mapWith(Number),
      stateHash: revenueCustomer.stateHash,
    })
    .from(billingCustomer)
    .leftJoin(subscriptionState, eq(subscriptionState.userId, billingCustomer.userId))
    .leftJoin(revenueCustomer, eq(revenueCustomer.customerId, billingCustomer.stripeCustomerId))
    .where(eq(billingCustomer.stripeCustomerId, customerId))
  return row ?? null
}
