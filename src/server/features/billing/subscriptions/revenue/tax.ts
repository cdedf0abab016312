import type Stripe from 'stripe'

type Taxed = Pick<Stripe.InvoiceLineItem, 'amount' | 'discount_amounts' | 'taxes'>

/** Percentages by tax rate id. */
export type TaxRates = ReadonlyMap<string, number>

const sum = (all: readonly { amount: number }[] | null | undefined): number =>
  (all ?? []).reduce((total, { amount }) => total + amount, 0)

/** The taxes that a line's amount contains; others are added to it. */
const includedTaxes = ({ taxes }: Pick<Taxed, 'taxes'>) =>
  (taxes ?? []).filter(({ tax_behavior: behavior }) => behavior === 'inclusive')

const rateIdsOf = (line: Pick<Taxed, 'taxes'>): string[] =>
  includedTaxes(line).flatMap(({ tax_rate_details: details }) => details?.tax_rate ?? [])

/** The rates that are needed to know prices without the tax in them. */
export const includedRateIds = (invoices: readonly Stripe.Invoice[]): Set<string> =>
  new Set(invoices.flatMap(({ lines }) => lines.data.flatMap(rateIdsOf)))

/** A price without the tax that the line says it contains. */
export function priceWithoutTax(price: number, line: Pick<Taxed, 'taxes'> | undefined, rates: TaxRates): number {
  const percent = line ? rateIdsOf(line).reduce((total, id) => total + (rates.get(id) ?? 0), 0) : 0
  return Math.round((price * 100) / (100 + percent))
}

/** What is paid for a line: after discounts and with tax. */
export const grossOf = (line: Taxed): number =>
  line.amount - sum(line.discount_amounts) + sum(line.taxes) - sum(includedTaxes(line))

/** Tells how much of an amount that was paid for these lines is tax. */
export function taxPartOf(lines: readonly Taxed[]): (cents: number) => number {
  const gross = lines.reduce((total, line) => total + grossOf(line), 0)
  const tax = lines.reduce((total, line) => total + sum(line.taxes), 0)
  const share = gross > 0 ? Math.min(1, Math.max(0, tax / gross)) : 0
  return (cents) => Math.round(cents * share)
}
