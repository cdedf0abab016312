import { and, eq, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import {
  revenueChange,
  revenueCohortTotal,
  revenueCustomer,
  revenueInvoice,
  revenueMonthlyTotal,
  revenueOfferTotal,
} from '#server/db/schema/index.ts'
import { fromSeconds, toSeconds } from '../billing-deps.ts'
import { type CohortTotal, cohortTotalsDelta } from './cohort-totals.ts'
import type { FetchedRevenueRecords } from './fetch-revenue-records.ts'
import { type InvoiceRow, type MonthlyTotal, monthlyTotalsDelta } from './monthly-totals.ts'
import { type OfferTotal, offerTotalsDelta } from './offer-totals.ts'
import { type Change, finalChanges, isUnbilled, revenueChanges } from './revenue-changes.ts'

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
  const before = await readStoredRecords(tx, customerId)
  const after = found.records
    ? {
        changes: revenueChanges(found.records.timelines, unbilledSince && toSeconds(unbilledSince)),
        invoices: mergeInvoices(before.invoices, found.records.invoices),
      }
    : {
        changes: [...before.changes, ...finalChanges(before.changes, toSeconds(found.now))],
        invoices: before.invoices,
      }
  await writeChanges(tx, customerId, before.changes, after.changes)
  await writeInvoices(tx, before.invoices, after.invoices)
  await addMonthlyTotals(tx, monthlyTotalsDelta(before, after))
  await addCohortTotals(tx, cohortTotalsDelta(before, after))
  await addOfferTotals(tx, offerTotalsDelta(before.invoices, after.invoices))
}

/** Call it last in a transaction, since it locks totals that all customers share. */
export async function addMonthlyTotals(tx: Tx, totals: readonly MonthlyTotal[]): Promise<void> {
  if (totals.length === 0) return
  await tx
    .insert(revenueMonthlyTotal)
    .values([...totals])
    .onConflictDoUpdate({
      target: [revenueMonthlyTotal.month, revenueMonthlyTotal.plan, revenueMonthlyTotal.name],
      set: {
        cents: sql`${revenueMonthlyTotal.cents} + excluded.cents`,
        count: sql`${revenueMonthlyTotal.count} + excluded.count`,
      },
    })
}

async function addCohortTotals(tx: Tx, totals: readonly CohortTotal[]): Promise<void> {
  if (totals.length === 0) return
  await tx
    .insert(revenueCohortTotal)
    .values([...totals])
    .onConflictDoUpdate({
      target: [revenueCohortTotal.cohort, revenueCohortTotal.month],
      set: {
        started: sql`${revenueCohortTotal.started} + excluded.started`,
        customers: sql`${revenueCohortTotal.customers} + excluded.customers`,
        paidCents: sql`${revenueCohortTotal.paidCents} + excluded.paid_cents`,
        refundedCents: sql`${revenueCohortTotal.refundedCents} + excluded.refunded_cents`,
      },
    })
}

async function addOfferTotals(tx: Tx, totals: readonly OfferTotal[]): Promise<void> {
  if (totals.length === 0) return
  await tx
    .insert(revenueOfferTotal)
    .values([...totals])
    .onConflictDoUpdate({
      target: revenueOfferTotal.promotionCodeId,
      set: {
        subscriptions: sql`${revenueOfferTotal.subscriptions} + excluded.subscriptions`,
        customers: sql`${revenueOfferTotal.customers} + excluded.customers`,
        paidCents: sql`${revenueOfferTotal.paidCents} + excluded.paid_cents`,
        refundedCents: sql`${revenueOfferTotal.refundedCents} + excluded.refunded_cents`,
        discountCents: sql`${revenueOfferTotal.discountCents} + excluded.discount_cents`,
      },
    })
}

/** Locks the customer's records and returns `unbilledSince`, or undefined if a newer sync wrote them. */
async function claimSync(tx: Tx, { customerId, seq }: SyncId, { stateHash, now, records }: FetchedRevenueRecords) {
  const unbilled =
    records?.timelines.some((timeline) => timeline.billingEndedAt === null && isUnbilled(timeline)) ?? false
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

type CustomerRecords = { changes: Change[]; invoices: InvoiceRow[] }

async function readStoredRecords(db: Tx, customerId: string): Promise<CustomerRecords> {
  const changes = await db
    .select()
    .from(revenueChange)
    .where(eq(revenueChange.customerId, customerId))
    .orderBy(revenueChange.at, revenueChange.plan)
  const invoices = await db.select().from(revenueInvoice).where(eq(revenueInvoice.customerId, customerId))
  return {
    changes: changes.map(({ at, plan, kind, yearlyCents, customers }) => ({
      at: toSeconds(at),
      plan,
      kind: kind as Change['kind'],
      yearlyCents,
      customers,
    })),
    invoices,
  }
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
