import { addIntervals, day, draftSeconds } from '../billing/billing-periods.ts'
import { invalid } from '../http/errors.ts'
import { change, create, type Tx } from '../tx.ts'
import type { Customer, Invoice, Metadata, PaymentBehavior, Price, Subscription } from '../types.ts'
import { cardFor, collect } from './collect-invoice.ts'
import { attachDiscount, type Redemption } from './discounts.ts'
import { finalizeInvoice, isSent } from './invoices.ts'
import { intentOf } from './payments.ts'
import { billSubscription, fullLine, onceLine, recurringOf, trialLine } from './subscription-billing.ts'
import { buildItem, buildSubscription, withItems } from './subscription-builder.ts'
import { announceTrialEnd, ended, notesOf, settle } from './subscription-status.ts'

/**
 * A customer is billed in one currency: that of their subscriptions, or of what is left of their balance.
 * @throws ApiError 400 for another one
 */
export function requireCurrencyOf(tx: Tx, customer: Customer, currency: string): void {
  const subscriptions = tx.store.select<Subscription>('subscription', 'customer = ?', customer.id)
  const other = subscriptions.find((one) => !ended(one) && one.currency !== currency)
  const isOwed = customer.balance !== 0 && typeof customer.currency === 'string' && customer.currency !== currency
  if (!other && !isOwed) return
  throw invalid(
    `You cannot combine currencies on a single customer. This customer uses ${other?.currency ?? customer.currency}.`,
    'currency',
  )
}

/** Remembers the currency of the newest subscription. */
function setCurrencyOf(tx: Tx, id: string, currency: string): void {
  const customer = tx.store.find<Customer>('customer', id)
  if (customer && customer.currency !== currency) tx.store.put({ ...customer, currency })
}

export type NewSubscription = {
  automaticTax?: boolean
  /** Days to pay invoices that are sent. Default: the card is charged. */
  daysUntilDue?: number | null
  customer: Customer
  items: { price: Price; quantity: number; metadata: Metadata }[]
  /** One-time prices, billed with the first invoice. */
  onceItems?: { price: Price; quantity: number }[]
  metadata: Metadata
  trialEnd: number | null
  defaultPaymentMethod: string | null
  paymentBehavior: PaymentBehavior
  redemptions: Redemption[]
  billingMode: 'classic' | 'flexible'
  missingPaymentMethod: string
  description: string | null
  /** The payer has just authenticated on the checkout page. */
  authenticated: boolean
  checkoutSession: string | null
}

/** Stripe ends a trial of days on the second, and refuses more than two years. */
export function trialEndOf(tx: Tx, days: number | undefined, end: number | 'now' | undefined): number | null {
  if (days !== undefined && end !== undefined)
    throw invalid('You may only specify one of trial_end and trial_period_days.', 'trial_end')
  if (days !== undefined && (days < 1 || days > 730))
    throw invalid('trial_period_days must be between 1 and 730.', 'trial_period_days')
  if (days !== undefined) return tx.at + days * day
  if (end === undefined || end === 'now') return null
  if (end <= tx.at || end > tx.at + 731 * day)
    throw invalid(
      'Invalid timestamp: must be an integer Unix timestamp in the future, at most two years ahead.',
      'trial_end',
    )
  return end
}

/** All prices of a subscription must be billed together. */
export function requireSameCycle(prices: Price[]): void {
  const cycles = new Set(prices.map((price) => `${recurringOf(price).interval}/${recurringOf(price).interval_count}`))
  if (cycles.size > 1)
    throw invalid('This sandbox supports only items with the same billing interval in one subscription.', 'items')
  if (new Set(prices.map((price) => price.currency)).size > 1)
    throw invalid('All prices of a subscription must have the same currency.', 'items')
}

function firstInvoice(
  tx: Tx,
  subscription: Subscription,
  input: NewSubscription,
): { invoice: Invoice; subscription: Subscription } {
  const trial = input.trialEnd !== null
  const lines = subscription.items.data.map((item) => {
    const period = { start: item.current_period_start, end: item.current_period_end }
    return trial ? trialLine(tx, item, period) : fullLine(tx, item, period)
  })
  const once = (input.onceItems ?? []).map((item) => onceLine(tx, item))
  const billed = billSubscription(tx, subscription, [...lines, ...once], {
    finalizesAt: isSent(subscription) ? tx.at + draftSeconds : null,
    period: { start: tx.at, end: tx.at },
    reason: 'subscription_create',
  })
  tx.store.put(billed.subscription, { ...notesOf(tx, subscription.id), billed: billed.billed })
  // One that is sent stays a draft for an hour, or until it is sent.
  const invoice = isSent(subscription) ? billed.invoice : finalizeInvoice(tx, billed.invoice)
  return { invoice, subscription: billed.subscription }
}

function payFirst(tx: Tx, subscription: Subscription, invoice: Invoice, input: NewSubscription): void {
  if (isSent(subscription)) return
  if (invoice.status === 'paid') {
    settle(tx, invoice)
    return
  }
  if (input.paymentBehavior === 'default_incomplete') {
    intentOf(tx, invoice)
    return
  }
  const method = cardFor(tx, subscription, input.customer)
  if (!method) {
    throw invalid(
      'This customer has no attached payment source or default payment method. Please consider adding a default payment method.',
      undefined,
      'resource_missing',
    )
  }
  const result = collect(tx, invoice, { method, authenticated: input.authenticated })
  if (result.error && input.paymentBehavior === 'error_if_incomplete') {
    // Thrown without `keepChanges`, so that the whole subscription is rolled back.
    const { status, type, message, details } = result.error
    throw Object.assign(invalid(message), { status, type, details })
  }
  settle(tx, result.invoice)
}

const read = (tx: Tx, id: string): Subscription => tx.store.find<Subscription>('subscription', id) as Subscription

/**
 * Creates a subscription with its first invoice and tries to collect it.
 * @throws ApiError 402 with `error_if_incomplete`, 400 if there is no card to charge
 */
export function createSubscription(tx: Tx, input: NewSubscription): Subscription {
  requireSameCycle(input.items.map((item) => item.price))
  const [first] = input.items
  if (!first) throw invalid('Missing required param: items.', 'items', 'parameter_missing')
  requireCurrencyOf(tx, input.customer, first.price.currency)
  setCurrencyOf(tx, input.customer.id, first.price.currency)
  const anchor = input.trialEnd ?? tx.at
  const bare = buildSubscription(tx, {
    anchor,
    automaticTax: input.automaticTax ?? false,
    billingMode: input.billingMode,
    currency: first.price.currency,
    customer: input.customer,
    daysUntilDue: input.daysUntilDue ?? null,
    defaultPaymentMethod: input.defaultPaymentMethod,
    description: input.description,
    metadata: input.metadata,
    missingPaymentMethod: input.missingPaymentMethod,
    trialEnd: input.trialEnd,
  })
  const end = input.trialEnd ?? addIntervals(anchor, recurringOf(first.price), 1)
  const period = { start: tx.at, end }
  const items = input.items.map((item) => buildItem(tx, bare.id, item.price, item.quantity, period, item.metadata))
  const born: Subscription = {
    ...withItems(bare, items),
    status: input.trialEnd !== null ? 'trialing' : isSent(bare) ? 'active' : 'incomplete',
  }
  const discounts = input.redemptions.map((each) => attachDiscount(tx, each, born, input.checkoutSession).id)
  const subscription = create(tx, 'customer.subscription.created', { ...born, discounts })
  const bill = firstInvoice(tx, subscription, input)
  payFirst(tx, bill.subscription, bill.invoice, input)
  const paid = read(tx, subscription.id)
  const result = paid.status === subscription.status ? announceInvoice(tx, subscription, paid) : paid
  announceTrialEnd(tx, result)
  return result
}

/** Emits the update with the first invoice if the status didn't change. */
function announceInvoice(tx: Tx, before: Subscription, after: Subscription): Subscription {
  return change(tx, 'customer.subscription.updated', before, after)
}
