import type { revenueCohortTotal } from '#server/db/schema/index.ts'
import { type InvoiceRow, monthOf, withoutTax } from './monthly-totals.ts'
import type { Change } from './revenue-changes.ts'

export type CohortTotal = typeof revenueCohortTotal.$inferSelect & { currency: string }

type CustomerRecords = { changes: readonly Change[]; invoices: readonly InvoiceRow[] }

/**
 * How the cohort totals change between two states of a customer's records. Sorted by the table's key, so that concurrent
 * transactions lock rows in the same order and can't deadlock.
 */
export function cohortTotalsDelta(before: CustomerRecords, after: CustomerRecords): CohortTotal[] {
  const sums = new Map<string, CohortTotal>()
  const add = (sign: 1 | -1) => (total: CohortTotal) => {
    const { currency, cohort, month } = total
    const key = currency + cohort + month
    const nothing = { started: 0, customers: 0, paidCents: 0, refundedCents: 0 }
    const sum = sums.get(key) ?? nothing
    sums.set(key, {
      currency,
      cohort,
      month,
      started: sum.started + sign * total.started,
      customers: sum.customers + sign * total.customers,
      paidCents: sum.paidCents + sign * total.paidCents,
      refundedCents: sum.refundedCents + sign * total.refundedCents,
    })
  }
  totalsOf(before).forEach(add(-1))
  totalsOf(after).forEach(add(1))
  return [...sums.entries()]
    .filter(([, { currency: _currency, cohort: _cohort, month: _month, ...figures }]) =>
      Object.values(figures).some((figure) => figure !== 0),
    )
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, total]) => total)
}

/** A customer who pays in two currencies counts in both. */
function totalsOf({ changes, invoices }: CustomerRecords): CohortTotal[] {
  const currencies = new Set([...changes, ...invoices].map(({ currency }) => currency))
  return [...currencies].flatMap((currency) =>
    totalsIn(currency, {
      changes: changes.filter((one) => one.currency === currency),
      invoices: invoices.filter((one) => one.currency === currency),
    }),
  )
}

function totalsIn(currency: string, { changes, invoices }: CustomerRecords): CohortTotal[] {
  const paid = invoices.flatMap((invoice) =>
    invoice.paidAt ? [{ ...withoutTax(invoice), paidAt: invoice.paidAt }] : [],
  )
  const startedAt = Math.min(...changes.map(({ at }) => at * 1000), ...paid.map(({ paidAt }) => paidAt.getTime()))
  if (!Number.isFinite(startedAt)) return []
  const cohort = monthOf(new Date(startedAt))
  const total = { currency, cohort, started: 0, customers: 0, paidCents: 0, refundedCents: 0 }
  const movements = customersByInstant(changes)
  return [
    ...(movements.length > 0 ? [{ ...total, month: cohort, started: 1 }] : []),
    ...movements.map(({ at, customers }) => ({
      ...total,
      month: monthOf(new Date(at * 1000)),
      customers,
    })),
    // Refunds count in the month of the original payment.
    ...paid.map(({ paidAt, paidCents, refundedCents }) => ({
      ...total,
      month: monthOf(paidAt),
      paidCents,
      refundedCents,
    })),
  ]
}

/** When the customer began (1) or stopped (-1) to pay for any plan. */
function customersByInstant(changes: readonly Change[]): { at: number; customers: number }[] {
  const instants = [...new Set(changes.map(({ at }) => at))].toSorted((a, b) => a - b)
  let before = 0
  return instants.map((at) => {
    const after = before + changes.reduce((sum, change) => sum + (change.at === at ? change.yearlyCents : 0), 0)
    const customers = Number(after > 0) - Number(before > 0)
    before = after
    return { at, customers }
  })
}
