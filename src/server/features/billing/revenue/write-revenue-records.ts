import { and, eq, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { revenueChange, revenueCustomer, revenueInvoice, revenueMonthlyTotal } from '#server/db/schema/index.ts'
import { fromSeconds, toSeconds } from '../billing-deps.ts'
import type { FetchedRevenueRecords } from './fetch-revenue-records.ts'
import { type InvoiceRow, monthlyTotalsDelta } from './monthly-totals.ts'
import { type Change, finalChanges, isUnbilled, revenueChanges } from './revenue-changes.ts'

type Turn = { customerId: string; seq: number }

/**
 * Makes a customer's books and the sums by month say what was found, unless a newer look has been booked. All that
 * Stripe keeps is booked anew each time and only what differs is written, so asking twice, late or in any order ends in
 * the same books. The last part of a transaction: the sums are shared by all customers.
 */
export async function writeRevenueRecords(
  tx: Tx,
  { customerId, seq }: Turn,
  found: FetchedRevenueRecords,
): Promise<void> {
  const unbilledSince = await takeTurn(tx, { customerId, seq }, found)
  if (unbilledSince === undefined) return
  const before = await readOwnBooks(tx, customerId)
  const after = found.kept
    ? {
        changes: revenueChanges(found.kept.stories, unbilledSince && toSeconds(unbilledSince)),
        invoices: merged(before.invoices, found.kept.invoices),
      }
    : {
        changes: [...before.changes, ...finalChanges(before.changes, toSeconds(found.now))],
        invoices: before.invoices,
      }
  await writeChanges(tx, customerId, before.changes, after.changes)
  await writeInvoices(tx, before.invoices, after.invoices)
  const figures = monthlyTotalsDelta(before, after)
  if (figures.length === 0) return
  await tx
    .insert(revenueMonthlyTotal)
    .values(figures)
    .onConflictDoUpdate({
      target: [revenueMonthlyTotal.month, revenueMonthlyTotal.plan, revenueMonthlyTotal.name],
      set: {
        cents: sql`${revenueMonthlyTotal.cents} + excluded.cents`,
        count: sql`${revenueMonthlyTotal.count} + excluded.count`,
      },
    })
}

/** Locks the customer's books. Undefined when a newer look has been here, else since when a price is unbilled. */
async function takeTurn(tx: Tx, { customerId, seq }: Turn, { stateHash, now, kept }: FetchedRevenueRecords) {
  const unbilled = kept?.stories.some((story) => story.stoppedAt === null && isUnbilled(story)) ?? false
  const [row] = await tx
    .insert(revenueCustomer)
    .values({ customerId, syncSeq: seq, stateHash, unbilledSince: unbilled ? now : null })
    .onConflictDoUpdate({
      target: revenueCustomer.customerId,
      set: {
        syncSeq: seq,
        stateHash,
        // First sight stays first sight until an invoice says when it was.
        unbilledSince: unbilled ? sql`coalesce(${revenueCustomer.unbilledSince}, excluded.unbilled_since)` : null,
      },
      setWhere: sql`${revenueCustomer.syncSeq} < ${seq}`,
    })
    .returning({ unbilledSince: revenueCustomer.unbilledSince })
  return row?.unbilledSince
}

type OwnBooks = { changes: Change[]; invoices: InvoiceRow[] }

async function readOwnBooks(db: Tx, customerId: string): Promise<OwnBooks> {
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

/** An invoice that Stripe no longer lists was paid or failed all the same. */
function merged(before: readonly InvoiceRow[], found: readonly InvoiceRow[]): InvoiceRow[] {
  const ids = new Set(found.map(({ id }) => id))
  return [...before.filter(({ id }) => !ids.has(id)), ...found]
}

const isIn = <T>(all: readonly T[]) => {
  const texts = new Set(all.map((one) => JSON.stringify(one, Object.keys(one as object).toSorted())))
  return (one: T) => texts.has(JSON.stringify(one, Object.keys(one as object).toSorted()))
}

async function writeChanges(tx: Tx, customerId: string, before: readonly Change[], after: readonly Change[]) {
  const stands = isIn(after)
  for (const { at, plan } of before.filter((change) => !stands(change))) {
    const { customerId: customer, at: instant, plan: ofPlan } = revenueChange
    await tx.delete(revenueChange).where(and(eq(customer, customerId), eq(instant, fromSeconds(at)), eq(ofPlan, plan)))
  }
  const stood = isIn(before)
  const fresh = after.filter((change) => !stood(change))
  if (fresh.length === 0) return
  await tx.insert(revenueChange).values(fresh.map((change) => ({ ...change, customerId, at: fromSeconds(change.at) })))
}

async function writeInvoices(tx: Tx, before: readonly InvoiceRow[], after: readonly InvoiceRow[]) {
  const stood = isIn(before)
  for (const invoice of after.filter((row) => !stood(row))) {
    await tx.insert(revenueInvoice).values(invoice).onConflictDoUpdate({ target: revenueInvoice.id, set: invoice })
  }
}
