import type { revenueOfferTotal } from '#server/db/schema/index.ts'
import { type InvoiceRow, withoutTax } from './monthly-totals.ts'

export type OfferTotal = typeof revenueOfferTotal.$inferSelect & { currency: string }
type Figure = Exclude<keyof OfferTotal, 'promotionCodeId' | 'currency'>

/**
 * How the totals of promotion codes change between two states of a customer's invoices. Sorted by the table's key, so that
 * concurrent transactions lock rows in the same order and can't deadlock.
 */
export function offerTotalsDelta(before: readonly InvoiceRow[], after: readonly InvoiceRow[]): OfferTotal[] {
  const currencies = new Set([...before, ...after].map(({ currency }) => currency))
  return [...currencies].toSorted().flatMap((currency) => {
    const own = (invoices: readonly InvoiceRow[]) => invoices.filter((one) => one.currency === currency)
    return deltaIn(currency, own(before), own(after))
  })
}

function deltaIn(currency: string, before: readonly InvoiceRow[], after: readonly InvoiceRow[]): OfferTotal[] {
  const old = totalsOf(before)
  const present = totalsOf(after)
  return [...new Set([...old.keys(), ...present.keys()])]
    .toSorted()
    .map((promotionCodeId) => {
      const change = (figure: Figure) =>
        (present.get(promotionCodeId)?.[figure] ?? 0) - (old.get(promotionCodeId)?.[figure] ?? 0)
      return {
        currency,
        promotionCodeId,
        subscriptions: change('subscriptions'),
        customers: change('customers'),
        paidCents: change('paidCents'),
        refundedCents: change('refundedCents'),
        discountCents: change('discountCents'),
      }
    })
    .filter(({ promotionCodeId: _id, currency: _currency, ...figures }) =>
      Object.values(figures).some((figure) => figure !== 0),
    )
}

/** Counts an invoice's amounts once it is paid, like the monthly totals. */
function totalsOf(invoices: readonly InvoiceRow[]): Map<string, Record<Figure, number>> {
  const codes = new Set(invoices.flatMap(({ discounts }) => discounts.map(([code]) => code)))
  return new Map(
    [...codes].map((code) => {
      const own = invoices.filter(({ discounts }) => discounts.some(([one]) => one === code))
      const paid = own.filter(({ paidAt }) => paidAt !== null)
      const sum = (centsOf: (invoice: InvoiceRow) => number) => paid.reduce((all, one) => all + centsOf(one), 0)
      const figures = {
        subscriptions: new Set(own.map(({ subscriptionId }) => subscriptionId)).size,
        customers: 1,
        paidCents: sum((invoice) => withoutTax(invoice).paidCents),
        refundedCents: sum((invoice) => withoutTax(invoice).refundedCents),
        discountCents: sum(({ discounts }) => discounts.find(([one]) => one === code)?.[1] ?? 0),
      }
      return [code, figures]
    }),
  )
}
