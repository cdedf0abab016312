import { periodAt } from '../billing/billing-periods.ts'
import type { Reduction } from '../billing/discount-amounts.ts'
import { formatAmount } from '../billing/format-amount.ts'
import type { Tx } from '../tx.ts'
import type {
  Billed,
  Customer,
  Invoice,
  Period,
  Price,
  Product,
  Recurring,
  Subscription,
  SubscriptionItem,
} from '../types.ts'
import { remainingDiscounts, runningReductions } from './discounts.ts'
import { type LineSpec, netAmount, prorationLine } from './invoice-lines.ts'
import { draftInvoice } from './invoices.ts'
import { notesOf } from './subscription-status.ts'

export const recurringOf = (price: Price): Recurring => price.recurring ?? { interval: 'month', interval_count: 1 }

export const productName = (tx: Tx, price: Price): string =>
  tx.store.find<Product>('product', price.product, true)?.name ?? 'Subscription'

const perInterval = (price: Price): string => {
  const { interval, interval_count: count } = recurringOf(price)
  return count === 1 ? interval : `${count} ${interval}s`
}

/** The line that charges an item in full for a period. */
export const fullLine = (tx: Tx, item: SubscriptionItem, period: Period): LineSpec => ({
  amount: item.price.unit_amount * item.quantity,
  description: `${item.quantity} × ${productName(tx, item.price)} (at ${formatAmount(item.price.unit_amount, item.price.currency)} / ${perInterval(item.price)})`,
  item: item.id,
  period,
  price: item.price,
  proration: false,
  quantity: item.quantity,
})

/** The zero line of a trial. */
export const trialLine = (tx: Tx, item: SubscriptionItem, period: Period): LineSpec => ({
  ...fullLine(tx, item, period),
  amount: 0,
  description: `Trial period for ${productName(tx, item.price)}`,
})

/** The line of a one-time price, which Stripe bills for the moment of the invoice. */
export const onceLine = (tx: Tx, { price, quantity }: { price: Price; quantity: number }): LineSpec => ({
  amount: price.unit_amount * quantity,
  description: productName(tx, price),
  item: null,
  period: { start: tx.at, end: tx.at },
  price,
  proration: false,
  quantity,
})

/** The billing period that starts at `at`. All items share one interval. */
export const cycleAt = (subscription: Subscription, at: number): Period => {
  const first = subscription.items.data[0]
  return periodAt(
    subscription.billing_cycle_anchor,
    first ? recurringOf(first.price) : { interval: 'month', interval_count: 1 },
    at,
  )
}

/** The amount billed per item, from which unused time is credited later. */
function billedBy(invoice: Invoice): Billed {
  const billed: Billed = {}
  for (const line of invoice.lines.data) {
    const parent = line.parent as {
      subscription_item_details?: { proration?: boolean; subscription_item?: string } | null
    }
    const { proration, subscription_item: item } = parent.subscription_item_details ?? {}
    if (!proration && item) billed[item] = { amount: netAmount(line), ...line.period }
  }
  return billed
}

export type Bill = { invoice: Invoice; subscription: Subscription }

/**
 * Drafts an invoice with these lines and all pending ones, and sets it on the subscription. The caller saves the
 * subscription and emits its event.
 */
export function billSubscription(
  tx: Tx,
  subscription: Subscription,
  lines: LineSpec[],
  options: { reason: Invoice['billing_reason']; period: Period; finalizesAt: number | null; reductions?: Reduction[] },
): Bill & { billed: Billed } {
  const customer = tx.store.find<Customer>('customer', subscription.customer)
  if (!customer) throw new Error(`subscription ${subscription.id} has no customer`)
  const notes = notesOf(tx, subscription.id)
  const invoice = draftInvoice(tx, {
    customer,
    finalizesAt: options.finalizesAt,
    lines: [...notes.pendingItems.map(prorationLine), ...lines],
    period: options.period,
    reason: options.reason,
    reductions: options.reductions ?? runningReductions(tx, subscription),
    subscription,
  })
  return {
    // A voided invoice charges nothing, so nothing is credited for it later.
    billed: subscription.pause_collection ? {} : billedBy(invoice),
    invoice,
    subscription: {
      ...subscription,
      discounts: remainingDiscounts(tx, subscription, invoice.discounts),
      latest_invoice: invoice.id,
    },
  }
}
