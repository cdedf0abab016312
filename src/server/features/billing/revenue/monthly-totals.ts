import type { revenueInvoice, revenueMonthlyTotal } from '#server/db/schema/index.ts'
import type { Change, ChangeKind } from './revenue-changes.ts'

export type InvoiceRow = typeof revenueInvoice.$inferSelect
export type Figure = typeof revenueMonthlyTotal.$inferSelect

const failureNames = ['failed_open', 'failed_recovered', 'failed_lost'] as const
export type TotalName = ChangeKind | (typeof failureNames)[number] | 'paid' | 'refunded'

/** The books are kept in the one currency that the plans are sold in. */
export const revenueCurrency = 'usd'

/** First day of the month, UTC, as a calendar day. */
export const monthOf = (instant: Date): string => `${instant.toISOString().slice(0, 7)}-01`

type Books = { changes: readonly Change[]; invoices: readonly InvoiceRow[] }

/**
 * By how much the sums by month differ between two states of a customer's books. In the order of the table's key, so
 * that two transactions that change the same sums wait for each other instead of locking each other out.
 */
export function monthlyTotalsDelta(before: Books, after: Books): Figure[] {
  const sums = new Map<string, Figure>()
  const add = (sign: 1 | -1) => (figure: Figure) => {
    const { month, plan, name } = figure
    const key = `${month} ${plan} ${name}`
    const sum = sums.get(key) ?? { month, plan, name, cents: 0, count: 0 }
    sums.set(key, { ...sum, cents: sum.cents + sign * figure.cents, count: sum.count + sign * figure.count })
  }
  figuresOf(before).forEach(add(-1))
  figuresOf(after).forEach(add(1))
  return [...sums.entries()]
    .filter(([, { cents, count }]) => cents !== 0 || count !== 0)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, figure]) => figure)
}

const figuresOf = ({ changes, invoices }: Books): Figure[] => [
  ...changes.map(({ at, plan, kind, yearlyCents, customers }) => ({
    month: monthOf(new Date(at * 1000)),
    plan,
    name: kind,
    cents: yearlyCents,
    count: customers,
  })),
  ...invoices.filter(({ currency }) => currency === revenueCurrency).flatMap(figuresOfInvoice),
]

function figuresOfInvoice(invoice: InvoiceRow): Figure[] {
  const { plan, paidAt, paidCents, refundedCents, failedAt, dueCents } = invoice
  const figure = (name: TotalName, at: Date, cents: number) => ({ month: monthOf(at), plan, name, cents, count: 1 })
  return [
    ...(paidAt && paidCents > 0 ? [figure('paid', paidAt, paidCents)] : []),
    // In the month of the payment that is given back.
    ...(paidAt && refundedCents > 0 ? [figure('refunded', paidAt, refundedCents)] : []),
    ...(failedAt ? [figure(outcomeOf(invoice), failedAt, dueCents)] : []),
  ]
}

function outcomeOf({ status }: Pick<InvoiceRow, 'status'>): (typeof failureNames)[number] {
  if (status === 'paid') return 'failed_recovered'
  return status === 'open' ? 'failed_open' : 'failed_lost'
}
