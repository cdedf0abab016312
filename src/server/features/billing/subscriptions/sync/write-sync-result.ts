import { eq, sql } from 'drizzle-orm'
import { batchByDatabase } from '#server/db/batch-writes.ts'
import type { Tx } from '#server/db/database.ts'
import { pendingCheckout, subscriptionState } from '#server/db/schema/index.ts'
import type { BillingDeps } from '../billing-deps.ts'
import { recordTrialUsage } from '../checkout/trial-usage.ts'
import { reportRefusedTrials, reportSameCard } from '../checkout/trial-usage-of-cards.ts'
import { detachCustomer, findCustomerId } from '../customers/stripe-customer-ids.ts'
import { writeCancellations } from '../notices/cancellations.ts'
import { enqueueNotices, noticesOf } from '../notices/enqueue-notices.ts'
import { markTakenOffer } from '../retention/retention-offers.ts'
import { hasStayDiscount } from '../retention/stay-discount.ts'
import type { FetchedRevenueRecords } from '../revenue/fetch-revenue-records.ts'
import { areStored, readStoredRecords, writeRevenueRecords } from '../revenue/write-revenue-records.ts'
import { markEventsProcessed } from '../webhooks/event-outcomes.ts'
import { isLive } from './choose-subscription.ts'
import { reportDuplicates } from './duplicate-subscriptions.ts'
import { planItemOf, planProductOf } from './plan-subscriptions.ts'
import type { CustomerState } from './read-customer-state.ts'
import { differs, findSubscriptionRow, rowOf, type SubscriptionRow, type SyncTarget } from './subscription-row.ts'

type SyncFindings = {
  userId: string
  customerId: string
  seq: number
  state: CustomerState
  /** Null if nothing changed. */
  revenueRecords: FetchedRevenueRecords | null
  eventIds: readonly string[]
  /** Sends no email about what the publisher's former software already told the member. */
  isAdoption?: boolean
}

type Written = { row: SubscriptionRow; changed: boolean }

/**
 * Writes a sync's result unless a newer one is stored, and marks its events as processed. Returns the current row and
 * whether it changed, or null if the customer no longer belongs to the user.
 */
export function writeSyncResult(deps: BillingDeps, findings: SyncFindings): Promise<Written | null> {
  const { userId, customerId, seq, state, revenueRecords, eventIds } = findings
  return deps.database.db.transaction(async (tx) => {
    const isOwner = (await findCustomerId(tx, userId)) === customerId
    const written = isOwner ? await writeRow(tx, deps, findings) : null
    // After the row, in the order in which `storeUnchanged` locks them.
    await markEventsProcessed(tx, eventIds, { at: deps.clock() })
    if (written?.after) await followUp(tx, deps, findings, written.before, written.after)
    if (written) {
      const price = (state.subscription && planItemOf(deps, state.subscription)?.price) ?? undefined
      await reportRefusedTrials(tx, deps, userId, state.refusedTrials)
      await reportDuplicates(tx, deps, { userId, keptProductId: planProductOf(deps, price) }, state.duplicates)
    }
    // Revenue belongs to the customer, whose events won't be processed again.
    if (revenueRecords) await writeRevenueRecords(tx, { customerId, seq }, revenueRecords)
    if (!written) return null
    const { before, after } = written
    const row = after ?? (await findSubscriptionRow(tx, userId))
    if (!row) throw new Error('The subscription row was deleted during the sync')
    return { row, changed: after !== null && (before === null || differs(before, after)) }
  })
}

/** Locks the row, so that only one of two concurrent syncs sees the previous one. `after` is null if a newer one is stored. */
async function writeRow(tx: Tx, deps: BillingDeps, { userId, seq, state }: SyncFindings) {
  const isOwn = eq(subscriptionState.userId, userId)
  const [before = null] = await tx.select().from(subscriptionState).where(isOwn).for('update')
  const row = rowOf(deps, { userId, seq, state }, before)
  const [after = null] = await tx
    .insert(subscriptionState)
    .values(row)
    .onConflictDoUpdate({
      target: subscriptionState.userId,
      set: row,
      setWhere: sql`${subscriptionState.syncSeq} < ${seq}`,
    })
    .returning()
  return { before, after }
}

/** What a change of the row brings: notices, cancellations, used offers and trials, the end of the checkout. */
async function followUp(
  tx: Tx,
  deps: BillingDeps,
  { userId, customerId, state, isAdoption }: SyncFindings,
  before: SubscriptionRow | null,
  after: SubscriptionRow,
): Promise<void> {
  await enqueueNotices(tx, deps, before, after, { areSent: isAdoption })
  await markTakenOffer(tx, deps, { before, after, subscription: state.subscription })
  if (!isAdoption) await reportSameCard(tx, deps, before, after)
  if (state.trialStarted && !before?.trialUsed) await recordTrialUsage(tx, deps, userId)
  // Most customers never cancel, so most syncs need no statement.
  if (state.cancellations.length > 0 || before?.cancelAt) await writeCancellations(tx, customerId, state.cancellations)
  if (state.isDeleted) await detachCustomer(tx, userId, customerId)
  // A live subscription means that the checkout is complete.
  if (state.subscription && isLive(state.subscription)) {
    await tx.delete(pendingCheckout).where(eq(pendingCheckout.userId, userId))
  }
}

type Unchanged = { target: SyncTarget; findings: SyncFindings; row: SubscriptionRow }

/**
 * Stores the number and time of a sync that found what is stored already, and marks its events as processed: syncs that
 * end at the same time share their statements. Returns null if the result must be written by `writeSyncResult`, because
 * something changed or was written meanwhile.
 */
export async function storeUnchanged(
  deps: BillingDeps,
  target: SyncTarget,
  findings: SyncFindings,
): Promise<Written | null> {
  if (!target.row || !target.revenue) return null
  const row = { ...target.row, ...rowOf(deps, findings, target.row) }
  const isUnchanged = !differs(target.row, row) && !hasFollowUp(deps, target.row, row, findings)
  return isUnchanged && (await storeAll(deps.database, { target, findings, row })) ? { row, changed: false } : null
}

/** Whether `writeSyncResult` writes anything besides the two rows and the events. */
function hasFollowUp(
  deps: BillingDeps,
  before: SubscriptionRow,
  after: SubscriptionRow,
  { state: { isDeleted, subscription, ...state } }: SyncFindings,
): boolean {
  return (
    isDeleted ||
    before.testClockTime?.getTime() !== after.testClockTime?.getTime() ||
    (subscription !== null && hasStayDiscount(subscription)) ||
    before.cancelAt !== null ||
    [state.cancellations, state.refusedTrials, state.duplicates].some(({ length }) => length > 0) ||
    noticesOf(deps, before, after).length > 0
  )
}

/** Returns whether each was stored. */
const storeAll = batchByDatabase(async (database, items: readonly Unchanged[]) => {
  const read = items.filter(({ findings }) => findings.revenueRecords)
  const ids = read.map(({ findings }) => findings.customerId)
  const records = ids.length > 0 ? await readStoredRecords(database.db, ids) : []
  const recordsOf = new Map(ids.map((id, index) => [id, records[index]]))
  // Of two syncs of one customer, the second writes after the first.
  const byCustomer = new Map<string, Unchanged>()
  for (const item of items) {
    const { customerId, revenueRecords: found } = item.findings
    const before = recordsOf.get(customerId)
    if (byCustomer.has(customerId)) continue
    if (found && !(before && areStored(before, item.target.revenue?.unbilledSince ?? null, found))) continue
    byCustomer.set(customerId, item)
  }
  const unchanged = [...byCustomer.values()]
  if (unchanged.length === 0) return items.map(() => false)
  const events = unchanged.flatMap(({ findings }) => findings.eventIds.map((id) => [id, findings.customerId]))
  const stored = await database.prepared<{ customer_id: string }>('store_unchanged_syncs', storeText, [
    unchanged.map(({ target }) => target.userId),
    unchanged.map(({ findings }) => findings.customerId),
    unchanged.map(({ target }) => target.rowVersion),
    unchanged.map(({ target }) => target.revenueVersion),
    unchanged.map(({ findings }) => findings.seq),
    unchanged.map(({ row }) => row.syncedAt.toISOString()),
    unchanged.map(({ findings }) => findings.revenueRecords?.stateHash ?? null),
    unchanged.map(({ findings: { state } }) => state.subscription !== null && isLive(state.subscription)),
    events.map(([id]) => id),
    events.map(([, customerId]) => customerId),
  ])
  const done = new Set(stored.map(({ customer_id }) => customer_id))
  return items.map((item) => byCustomer.get(item.findings.customerId) === item && done.has(item.findings.customerId))
})

/** Skips rows that another sync has changed or is changing, so it never waits for them and can't deadlock. */
const storeText = `
  with given as (
    select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::timestamptz[], $7::text[], $8::boolean[])
      as given (user_id, customer_id, row_version, revenue_version, seq, synced_at, state_hash, is_live)
  ), unchanged as (
    select given.* from given
    join billing_customer owner on owner.user_id = given.user_id and owner.stripe_customer_id = given.customer_id
    join subscription_state state on state.user_id = given.user_id and state.xmin::text = given.row_version
    join revenue_customer revenue
      on revenue.customer_id = given.customer_id and revenue.xmin::text = given.revenue_version
    for update of state, revenue skip locked
  ), states as (
    update subscription_state state set sync_seq = seq, synced_at = unchanged.synced_at
    from unchanged where state.user_id = unchanged.user_id
  ), revenues as (
    update revenue_customer revenue set sync_seq = seq, state_hash = unchanged.state_hash
    from unchanged where revenue.customer_id = unchanged.customer_id and unchanged.state_hash is not null
  ), events as (
    update stripe_event event set processed_at = synced_at, last_error = null
    from unnest($9::text[], $10::text[]) as listed (id, customer_id) join unchanged using (customer_id)
    where event.id = listed.id
  ), checkouts as (
    delete from pending_checkout checkout using unchanged where checkout.user_id = unchanged.user_id and is_live
  )
  select customer_id from unchanged`
