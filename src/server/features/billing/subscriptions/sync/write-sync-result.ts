import { eq, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { pendingCheckout, subscriptionState } from '#server/db/schema/index.ts'
import type { BillingDeps } from '../billing-deps.ts'
import { reportSameCard } from '../checkout/same-card.ts'
import { reportRefusedTrials } from '../checkout/trial-card-usage.ts'
import { recordTrialUsage } from '../checkout/trial-usage.ts'
import { detachCustomer, findCustomerId } from '../customers/stripe-customer-ids.ts'
import { writeCancellations } from '../notices/cancellations.ts'
import { enqueueNotices } from '../notices/enqueue-notices.ts'
import { markTakenOffer } from '../retention/retention-offers.ts'
import type { FetchedRevenueRecords } from '../revenue/fetch-revenue-records.ts'
import { writeRevenueRecords } from '../revenue/write-revenue-records.ts'
import { markEventsProcessed } from '../webhooks/event-outcomes.ts'
import { isLive } from './choose-subscription.ts'
import { reportDuplicates } from './duplicate-subscriptions.ts'
import { planItemOf, planProductOf } from './plan-subscriptions.ts'
import type { CustomerState } from './read-customer-state.ts'
import { differs, findSubscriptionRow, rowOf, type SubscriptionRow } from './subscription-row.ts'

export type SyncFindings = {
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

export type Written = { row: SubscriptionRow; changed: boolean }

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
