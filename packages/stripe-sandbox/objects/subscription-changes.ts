import { addIntervals } from '../billing/billing-periods.ts'
import { reduced } from '../billing/discount-amounts.ts'
import { shareLeft } from '../billing/proration.ts'
import { incompleteSeconds } from '../clock/next-due-time.ts'
import { ApiError, invalid } from '../http/errors.ts'
import { change, type Tx } from '../tx.ts'
import type {
  ChangePlan,
  Customer,
  Invoice,
  Metadata,
  PaymentBehavior,
  PendingItem,
  Price,
  ProrationBehavior,
  Subscription,
  SubscriptionItem,
} from '../types.ts'
import { cardFor, collect } from './collect-invoice.ts'
import { runningReductions } from './discounts.ts'
import { type LineSpec, prorationLine } from './invoice-lines.ts'
import { finalizeInvoice } from './invoices.ts'
import { intentOf } from './payments.ts'
import { billSubscription, fullLine, productName, recurringOf } from './subscription-billing.ts'
import { buildItem, withItems, withPrice } from './subscription-builder.ts'
import { requireSameCycle } from './subscription-create.ts'
import { notesOf, settle } from './subscription-status.ts'

/** A requested item: a changed one, a new one (without id), or a deleted one. */
export type ItemChange = { id?: string; price?: Price; quantity?: number; deleted?: boolean; metadata?: Metadata }

export type ChangeOptions = {
  prorationBehavior: ProrationBehavior
  paymentBehavior: PaymentBehavior
  /** Starts a new billing period now even if the interval stays the same. */
  resetAnchor: boolean
  /** The second from which unused time counts. Default: now. */
  prorationAt: number
}

type Wanted = { items: SubscriptionItem[]; touched: Set<string>; resets: boolean }

function changeItem(
  tx: Tx,
  subscription: Subscription,
  items: SubscriptionItem[],
  wanted: ItemChange,
  touched: Set<string>,
): SubscriptionItem[] {
  const period = { start: tx.at, end: items[0]?.current_period_end ?? tx.at }
  if (!wanted.id) {
    if (!wanted.price) throw invalid('A new item needs a price.', 'items[0][price]', 'parameter_missing')
    const item = buildItem(tx, subscription.id, wanted.price, wanted.quantity ?? 1, period, wanted.metadata ?? {})
    touched.add(item.id)
    return [...items, item]
  }
  touched.add(wanted.id)
  if (wanted.deleted) return items.filter((item) => item.id !== wanted.id)
  return items.map((item) => {
    if (item.id !== wanted.id) return item
    const priced = wanted.price ? withPrice(item, wanted.price) : item
    return {
      ...priced,
      metadata: wanted.metadata ?? item.metadata,
      quantity: wanted.quantity ?? (wanted.price ? 1 : item.quantity),
    }
  })
}

function wantedItems(tx: Tx, subscription: Subscription, changes: ItemChange[], resetAnchor: boolean): Wanted {
  const before = subscription.items.data
  const touched = new Set<string>()
  const items = changes.reduce((all, each) => changeItem(tx, subscription, all, each, touched), before)
  if (items.length === 0)
    throw invalid('A subscription must have at least one active plan. Use the cancel endpoint instead.', 'items')
  requireSameCycle(items.map((item) => item.price))
  const differs = (item: SubscriptionItem): boolean => {
    const old = before.find((each) => each.id === item.id)
    return !old || old.price.id !== item.price.id || old.quantity !== item.quantity
  }
  for (const id of touched) {
    const item = items.find((each) => each.id === id)
    if (item && !differs(item)) touched.delete(id)
  }
  const cycle = (item: SubscriptionItem | undefined) =>
    item && JSON.stringify([recurringOf(item.price).interval, recurringOf(item.price).interval_count])
  return { items, resets: resetAnchor || cycle(before[0]) !== cycle(items[0]), touched }
}

const dated = (at: number): string =>
  new Date(at * 1000).toLocaleDateString('en-US', { day: '2-digit', month: 'short', timeZone: 'UTC', year: 'numeric' })

/** Credits the amount paid for the remaining time, after the discounts of that time. */
function creditFor(tx: Tx, subscription: Subscription, item: SubscriptionItem, at: number): PendingItem | null {
  const billed = notesOf(tx, subscription.id).billed[item.id]
  if (!billed || billed.amount === 0) return null
  return {
    amount: -shareLeft(billed.amount, billed, at),
    description: `Unused time on ${productName(tx, item.price)} after ${dated(at)}`,
    item: item.id,
    period: { start: at, end: billed.end },
    price: item.price,
    quantity: item.quantity,
  }
}

/** Charges the rest of the current period at the new price, after current discounts. */
function debitFor(tx: Tx, subscription: Subscription, item: SubscriptionItem, at: number): PendingItem {
  const period = { start: item.current_period_start, end: item.current_period_end }
  const full = reduced(item.price.unit_amount * item.quantity, runningReductions(tx, subscription))
  return {
    amount: shareLeft(full, period, at),
    description: `Remaining time on ${productName(tx, item.price)} after ${dated(at)}`,
    item: item.id,
    period: { start: at, end: period.end },
    price: item.price,
    quantity: item.quantity,
  }
}

type Costs = { plan: ChangePlan; prorations: PendingItem[]; full: LineSpec[] }

/** Switches the interval: credits unused time, and starts and bills a new period now. */
function costsOfReset(tx: Tx, subscription: Subscription, wanted: Wanted, options: ChangeOptions): Costs {
  const first = wanted.items[0]
  const period = {
    start: tx.at,
    end: addIntervals(tx.at, first ? recurringOf(first.price) : { interval: 'month', interval_count: 1 }, 1),
  }
  const items = wanted.items.map((item) => ({
    ...item,
    current_period_end: period.end,
    current_period_start: period.start,
  }))
  const credits = subscription.items.data.flatMap(
    (item) => creditFor(tx, subscription, item, options.prorationAt) ?? [],
  )
  return {
    full: items.map((item) => fullLine(tx, item, period)),
    plan: { anchor: tx.at, billed: {}, items },
    prorations: options.prorationBehavior === 'none' ? [] : credits,
  }
}

/** Switches items within the current period. */
function costsOfSwitch(tx: Tx, subscription: Subscription, wanted: Wanted, options: ChangeOptions): Costs {
  const billed = { ...notesOf(tx, subscription.id).billed }
  const prorations: PendingItem[] = []
  for (const id of wanted.touched) {
    const before = subscription.items.data.find((item) => item.id === id)
    const after = wanted.items.find((item) => item.id === id)
    const credit = before && creditFor(tx, subscription, before, options.prorationAt)
    if (credit) prorations.push(credit)
    const debit = after && debitFor(tx, subscription, after, options.prorationAt)
    if (debit) prorations.push(debit)
    if (!after) delete billed[id]
    else if (debit && options.prorationBehavior !== 'none') billed[id] = { amount: debit.amount, ...debit.period }
  }
  return {
    full: [],
    plan: { anchor: subscription.billing_cycle_anchor, billed, items: wanted.items },
    prorations: options.prorationBehavior === 'none' ? [] : prorations,
  }
}

const applied = (subscription: Subscription, plan: ChangePlan): Subscription => {
  const after = { ...withItems(subscription, plan.items), billing_cycle_anchor: plan.anchor }
  // The flag means the end of the current period, so the date changes with it.
  return after.cancel_at_period_end
    ? { ...after, cancel_at: plan.items[0]?.current_period_end ?? after.cancel_at }
    : after
}

function billNow(
  tx: Tx,
  subscription: Subscription,
  costs: Costs,
): { invoice: Invoice; subscription: Subscription; plan: ChangePlan } {
  const lines = [...costs.prorations.map(prorationLine), ...costs.full]
  const bill = billSubscription(tx, subscription, lines, {
    finalizesAt: null,
    period: { start: tx.at, end: tx.at },
    reason: 'subscription_update',
  })
  return {
    invoice: finalizeInvoice(tx, bill.invoice),
    plan: { ...costs.plan, billed: { ...costs.plan.billed, ...bill.billed } },
    subscription: bill.subscription,
  }
}

/** Stores the change until it is paid. The old plan continues until then. */
function keepPending(tx: Tx, subscription: Subscription, plan: ChangePlan, invoice: Invoice): void {
  const pending = {
    billing_cycle_anchor: plan.anchor === subscription.billing_cycle_anchor ? null : plan.anchor,
    cancel_at_period_end: null,
    discount: null,
    discounts: null,
    expires_at: tx.at + incompleteSeconds,
    metadata: null,
    subscription_items: plan.items,
    trial_end: null,
    trial_from_plan: null,
  }
  const notes = { ...notesOf(tx, subscription.id), pendingInvoice: invoice.id, pendingPlan: plan }
  const after = { ...subscription, latest_invoice: invoice.id, pending_update: pending }
  change(tx, 'customer.subscription.updated', subscription, after, notes)
}

/** @param announced the state that the update's `previous_attributes` refer to */
function payChange(tx: Tx, before: Subscription, costs: Costs, options: ChangeOptions, announced = before): void {
  const bill = billNow(tx, before, costs)
  const after = applied(bill.subscription, bill.plan)
  const method = cardFor(tx, before, tx.store.find<Customer>('customer', before.customer))
  const notes = { ...notesOf(tx, before.id), billed: bill.plan.billed, pendingItems: [] }
  const later = options.paymentBehavior === 'default_incomplete' && bill.invoice.status === 'open'
  if (later) intentOf(tx, bill.invoice)
  if (options.paymentBehavior !== 'pending_if_incomplete') {
    change(tx, 'customer.subscription.updated', announced, later ? { ...after, status: 'past_due' } : after, notes)
    if (later) return
  }
  const { invoice, error } = collect(tx, bill.invoice, { method })
  if (error && options.paymentBehavior === 'error_if_incomplete') {
    throw new ApiError(error.status, error.type, error.message, error.details)
  }
  if (options.paymentBehavior !== 'pending_if_incomplete') {
    settle(tx, invoice)
    return
  }
  if (error) keepPending(tx, before, bill.plan, invoice)
  else change(tx, 'customer.subscription.updated', before, after, notes)
}

/**
 * Changes the items of a subscription and bills what that costs: at once if the interval changes or with
 * `always_invoice`, otherwise with the next invoice.
 * @throws ApiError 402 with `error_if_incomplete`; nothing has changed then
 */
export function changeItems(tx: Tx, subscription: Subscription, changes: ItemChange[], options: ChangeOptions): void {
  const wanted = wantedItems(tx, subscription, changes, options.resetAnchor)
  if (wanted.touched.size === 0 && !wanted.resets) {
    const same = withItems(subscription, wanted.items)
    change(tx, 'customer.subscription.updated', subscription, same)
    return
  }
  if (subscription.status === 'trialing') {
    const plan = { anchor: subscription.billing_cycle_anchor, billed: {}, items: wanted.items }
    change(tx, 'customer.subscription.updated', subscription, applied(subscription, plan))
    return
  }
  const costs = wanted.resets
    ? costsOfReset(tx, subscription, wanted, options)
    : costsOfSwitch(tx, subscription, wanted, options)
  const billable =
    costs.full.length > 0 || (options.prorationBehavior === 'always_invoice' && costs.prorations.length > 0)
  if (billable) {
    payChange(tx, subscription, costs, options)
    return
  }
  const notes = notesOf(tx, subscription.id)
  const waiting = { ...notes, billed: costs.plan.billed, pendingItems: [...notes.pendingItems, ...costs.prorations] }
  change(tx, 'customer.subscription.updated', subscription, applied(subscription, costs.plan), waiting)
}

/** Ends a trial now. The first paid period starts and is billed. */
export function endTrialNow(tx: Tx, subscription: Subscription, options: ChangeOptions): void {
  const active: Subscription = { ...subscription, status: 'active', trial_end: tx.at }
  const costs = costsOfReset(tx, active, { items: active.items.data, resets: true, touched: new Set() }, options)
  const behavior = options.paymentBehavior === 'pending_if_incomplete' ? 'allow_incomplete' : options.paymentBehavior
  payChange(tx, active, costs, { ...options, paymentBehavior: behavior }, subscription)
}
