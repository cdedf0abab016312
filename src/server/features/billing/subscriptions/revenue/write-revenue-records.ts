import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { revenueChange, revenueCustomer, revenueInvoice } from '#server/db/schema/index.ts'
import { type BillingDeps, fromSeconds, toSeconds } from '../billing-deps.ts'
import { listSubscriptions, testTime } from '../sync/read-customer-state.ts'
import { nextSyncSeq } from '../sync/subscription-row.ts'
import { cohortTotalsDelta } from './cohort-totals.ts'
import { type FetchedRevenueRecords, fetchRevenueRecords } from './fetch-revenue-records.ts'
import { type InvoiceRow, monthlyTotalsDelta } from './monthly-totals.ts'
import { offerTotalsDelta } from './offer-totals.ts'
import { type Change, finalChanges, isUnbilled, revenueChanges } from './revenue-changes.ts'
import { addCohortTotals, addMonthlyTotals, addOfferTotals } from './revenue-totals.ts'

type SyncId = { customerId: string; seq: number }

/**
 * Updates a customer's revenue records and the monthly totals, unless a newer sync wrote them. Recomputes everything and
 * writes the differences. Call it last in a transaction, since it locks totals that all customers share.
 */
export async function writeRevenueRecords(
  tx: Tx,
  { customerId, seq }: SyncId,
  found: FetchedRevenueRecords,
): Promise<void> {
  const unbilledSince = await claimSync(tx, { customerId, seq }, found)
  if (unbilledSince === undefined) return
  const [before = noRecords] = await readStoredRecords(tx, [customerId])
  const after = recordsAfter(before, unbilledSince, found)
  await writeChanges(tx, customerId, before.changes, after.changes)
  await writeInvoices(tx, before.invoices, after.invoices)
  await addMonthlyTotals(tx, monthlyTotalsDelta(before, after))
  await addCohortTotals(tx, cohortTotalsDelta(before, after))
  await addOfferTotals(tx, offerTotalsDelta(before.invoices, after.invoices))
}

/** Locks the customer's records and returns `unbilledSince`, or undefined if a newer sync wrote them. */
async function claimSync(tx: Tx, { customerId, seq }: SyncId, { stateHash, now, records }: FetchedRevenueRecords) {
  const unbilled = hasUnbilled(records)
  const [row] = await tx
    .insert(revenueCustomer)
    .values({ customerId, syncSeq: seq, stateHash, unbilledSince: unbilled ? now : null })
    .onConflictDoUpdate({
      target: revenueCustomer.customerId,
      set: {
        syncSeq: seq,
        stateHash,
        // Keep the first value until an invoice shows the price.
        unbilledSince: unbilled ? sql`coalesce(${revenueCustomer.unbilledSince}, excluded.unbilled_since)` : null,
      },
      setWhere: sql`${revenueCustomer.syncSeq} < ${seq}`,
    })
    .returning({ unbilledSince: revenueCustomer.unbilledSince })
  return row?.unbilledSince
}

const hasUnbilled = (records: FetchedRevenueRecords['records']) =>
  records?.timelines.some((timeline) => timeline.billingEndedAt === null && isUnbilled(timeline)) ?? false

type CustomerRecords = { changes: Change[]; invoices: InvoiceRow[] }
const noRecords: CustomerRecords = { changes: [], invoices: [] }

/** The records of each customer. */
export async function readStoredRecords(db: Db | Tx, customerIds: readonly string[]): Promise<CustomerRecords[]> {
  const ids = [...customerIds]
  const changes = await db
    .select()
    .from(revenueChange)
    .where(inArray(revenueChange.customerId, ids))
    .orderBy(revenueChange.at, revenueChange.plan)
  const invoices = await db.select().from(revenueInvoice).where(inArray(revenueInvoice.customerId, ids))
  const changesOf = Map.groupBy(changes, ({ customerId }) => customerId)
  const invoicesOf = Map.groupBy(invoices, ({ customerId }) => customerId)
  return customerIds.map((id) => ({
    changes: (changesOf.get(id) ?? []).map(({ at, kind, customerId: _, ...change }) => ({
      ...change,
      at: toSeconds(at),
      kind: kind as Change['kind'],
    })),
    invoices: invoicesOf.get(id) ?? [],
  }))
}

function recordsAfter(
  before: CustomerRecords,
  unbilledSince: Date | null,
  { records, now }: FetchedRevenueRecords,
): CustomerRecords {
  if (!records) {
    return { ...before, changes: [...before.changes, ...finalChanges(before.changes, toSeconds(now))] }
  }
  return {
    changes: revenueChanges(records.timelines, unbilledSince && toSeconds(unbilledSince)),
    invoices: mergeInvoices(before.invoices, records.invoices),
  }
}

/** Returns true if writing the fetched records would change nothing but the number of the sync. */
export function areStored(before: CustomerRecords, unbilledSince: Date | null, found: FetchedRevenueRecords): boolean {
  if (hasUnbilled(found.records) !== (unbilledSince !== null)) return false
  const after = recordsAfter(before, unbilledSince, found)
  return (
    before.changes.every(isIn(after.changes)) &&
    after.changes.every(isIn(before.changes)) &&
    after.invoices.every(isIn(before.invoices))
  )
}

/** Adds the fetched invoices to the stored ones. Keeps invoices that Stripe no longer lists. */
function mergeInvoices(before: readonly InvoiceRow[], found: readonly InvoiceRow[]): InvoiceRow[] {
  const ids = new Set(found.map(({ id }) => id))
  return [...before.filter(({ id }) => !ids.has(id)), ...found]
}

const isIn = <T>(all: readonly T[]) => {
  const serialized = new Set(all.map((one) => JSON.stringify(one, Object.keys(one as object).toSorted())))
  return (one: T) => serialized.has(JSON.stringify(one, Object.keys(one as object).toSorted()))
}

async function writeChanges(tx: Tx, customerId: string, before: readonly Change[], after: readonly Change[]) {
  const isKept = isIn(after)
  for (const { at, plan } of before.filter((change) => !isKept(change))) {
    const { customerId: customer, at: instant, plan: ofPlan } = revenueChange
    await tx.delete(revenueChange).where(and(eq(customer, customerId), eq(instant, fromSeconds(at)), eq(ofPlan, plan)))
  }
  const isStored = isIn(before)
  const added = after.filter((change) => !isStored(change))
  if (added.length === 0) return
  await tx.insert(revenueChange).values(added.map((change) => ({ ...change, customerId, at: fromSeconds(change.at) })))
}

async function writeInvoices(tx: Tx, before: readonly InvoiceRow[], after: readonly InvoiceRow[]) {
  const isStored = isIn(before)
  for (const invoice of after.filter((row) => !isStored(row))) {
    await tx.insert(revenueInvoice).values(invoice).onConflictDoUpdate({ target: revenueInvoice.id, set: invoice })
  }
}

/**
 * Records payments, refunds and cancellations of a customer without a user, such as after account deletion. Skips
 * customers without revenue records, unless `isClosing`.
 */
export async function syncRevenueRecords(
  deps: BillingDeps,
  customerId: string,
  { isClosing = false } = {},
): Promise<void> {
  const { db } = deps.database
  const [stored] = await db.select().from(revenueCustomer).where(eq(revenueCustomer.customerId, customerId))
  if (!stored && !isClosing) return
  const seq = await nextSyncSeq(deps.database, stored?.syncSeq ?? 0)
  const subscriptions = await listSubscriptions(deps, customerId, {})
  const input = {
    customerId,
    subscriptions,
    isDeleted: subscriptions.length === 0,
    now: testTime(subscriptions[0]?.test_clock) ?? deps.clock(),
    stateHash: stored?.stateHash ?? null,
    afterPayment: true,
  }
  const found = await fetchRevenueRecords(deps, input, {})
  if (found) await db.transaction((tx) => writeRevenueRecords(tx, { customerId, seq }, found))
}
