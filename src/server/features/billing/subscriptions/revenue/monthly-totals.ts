import type { revenueInvoice, revenueMonthlyTotal } from '#server/db/schema/index.ts'
import type { Change, ChangeKind } from './revenue-changes.ts'

export type InvoiceRow = typeof revenueInvoice.$inferSelect
export type MonthlyTotal = typeof revenueMonthlyTotal.$inferSelect & { currency: string }

const failureNames = ['failed_open', 'failed_recovered', 'failed_lost'] as const
export type TotalName = ChangeKind | (typeof failureNames)[number] | 'paid' | 'refunded'

/** First day of the month in UTC, such as "2026-11-01". */
export const monthOf = (instant: Date): string => `${instant.toISOString().slice(0, 7)}-01`

type CustomerRecords = { changes: readonly Change[]; invoices: readonly InvoiceRow[] }

/**
 * How the monthly totals change between two states of a customer's records. Sorted by the table's key, so that concurrent
 * transactions lock rows in the same order and can't deadlock.
 */
export function monthlyTotalsDelta(before: CustomerRecords, after: CustomerRecords): MonthlyTotal[] {
  const sums = new Map<string, MonthlyTotal>()
  const add = (sign: 1 | -1) => (total: MonthlyTotal) => {
    const { currency, month, plan, name } = total
    const key = `${currency} ${month} ${plan} ${name}`
    const sum = sums.get(key) ?? { currency, month, plan, name, cents: 0, count: 0 }
    sums.set(key, { ...sum, cents: sum.cents + sign * total.cents, count: sum.count + sign * total.count })
  }
  totalsOf(before).forEach(add(-1))
  totalsOf(after).forEach(add(1))
  return [...sums.entries()]
    .filter(([, { cents, count }]) => cents !== 0 || count !== 0)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, total]) => total)
}

const totalsOf = ({ changes, invoices }: CustomerRecords): MonthlyTotal[] => [
  ...changes.map(({ at, plan, kind, yearlyCents, currency, customers }) => ({
    currency,
    month: monthOf(new Date(at * 1000)),
    plan,
    name: kind,
    cents: yearlyCents,
    count: customers,
  })),
  ...invoices.flatMap(totalsOfInvoice),
]

function totalsOfInvoice(invoice: InvoiceRow): MonthlyTotal[] {
  const { currency, plan, paidAt, failedAt } = invoice
  const { paidCents, refundedCents, dueCents } = withoutTax(invoice)
  const total = (name: TotalName, at: Date, cents: number) => ({
    currency,
    month: monthOf(at),
    plan,
    name,
    cents,
    count: 1,
  })
  return [
    ...(paidAt && paidCents > 0 ? [total('paid', paidAt, paidCents)] : []),
    // Refunds count in the month of the original payment.
    ...(paidAt && refundedCents > 0 ? [total('refunded', paidAt, refundedCents)] : []),
    ...(failedAt ? [total(outcomeOf(invoice), failedAt, dueCents)] : []),
  ]
}

/** An invoice's amounts without tax, as revenue counts them. */
export const withoutTax = (row: InvoiceRow): Pick<InvoiceRow, 'dueCents' | 'paidCents' | 'refundedCents'> => ({
  dueCents: row.dueCents - row.dueTaxCents,
  paidCents: row.paidCents - row.paidTaxCents,
  refundedCents: row.refundedCents - row.refundedTaxCents,
})

function outcomeOf({ status }: Pick<InvoiceRow, 'status'>): (typeof failureNames)[number] {
  if (status === 'paid') return 'failed_recovered'
  return status === 'open' ? 'failed_open' : 'failed_lost'
}
