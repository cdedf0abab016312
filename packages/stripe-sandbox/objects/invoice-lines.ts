import { discountLines, type Reduction } from '../billing/discount-amounts.ts'
import { behaviorOf, taxOn } from '../billing/taxes.ts'
import { build } from '../schema/build-object.ts'
import { newId } from '../store/ids.ts'
import type { InvoiceLine, PendingItem, Period, Price } from '../types.ts'

/** A line before it is added to an invoice. Amounts are in cents; credits are negative. */
export type LineSpec = {
  amount: number
  description: string
  period: Period
  price: Price
  quantity: number
  /** Null for a one-time price. */
  item: string | null
  proration: boolean
}

export const prorationLine = (pending: PendingItem): LineSpec => ({ ...pending, proration: true })

function parentOf({ item, proration }: LineSpec, subscription: string) {
  const details = { proration, proration_details: { credited_items: null }, subscription }
  if (item === null) {
    const invoice_item_details = { invoice_item: newId('ii'), ...details }
    return { invoice_item_details, subscription_item_details: null, type: 'invoice_item_details' }
  }
  return {
    invoice_item_details: null,
    subscription_item_details: {
      invoice_item: proration ? newId('ii') : null,
      ...details,
      subscription_item: item,
    },
    type: 'subscription_item_details',
  }
}

function buildLine(spec: LineSpec, invoice: string, subscription: string): InvoiceLine {
  return build<InvoiceLine>('line_item', {
    id: newId('il'),
    amount: spec.amount,
    currency: spec.price.currency,
    description: spec.description,
    discount_amounts: [],
    discountable: !spec.proration,
    invoice,
    parent: parentOf(spec, subscription),
    period: spec.period,
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: spec.price.id, product: spec.price.product },
      type: 'price_details',
      unit_amount_decimal: String(spec.price.unit_amount),
    },
    quantity: spec.quantity,
    quantity_decimal: String(spec.quantity),
    subscription,
    subtotal: spec.amount,
    taxes: [],
  })
}

/** An invoice's lines with their share of the discounts, and their tax. */
export function buildLines(
  specs: LineSpec[],
  reductions: Reduction[],
  invoice: string,
  subscription: string,
  taxed: boolean,
): InvoiceLine[] {
  const lines = specs.map((spec) => buildLine(spec, invoice, subscription))
  const discounts = discountLines(
    lines.map(({ amount, discountable }, index) => ({ amount, discountable, product: specs[index]?.price.product })),
    reductions,
  )
  return lines.map((line, index) => {
    const reduced = { ...line, discount_amounts: discounts[index] ?? [] }
    return taxed ? { ...reduced, taxes: [taxOn(netAmount(reduced), behaviorOf(specs[index]?.price))] } : reduced
  })
}

/** A line's amount after discounts. */
export const netAmount = (line: InvoiceLine): number =>
  line.amount - line.discount_amounts.reduce((all, each) => all + each.amount, 0)
