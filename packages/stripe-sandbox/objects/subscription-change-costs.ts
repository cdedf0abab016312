import { addIntervals } from '../billing/billing-periods.ts'
import { reduced, shareLeft } from '../billing/discount-amounts.ts'
import { invalid } from '../http/errors.ts'
import type { Tx } from '../tx.ts'
import type {
  ChangePlan,
  Metadata,
  PaymentBehavior,
  PendingItem,
  Price,
  ProrationBehavior,
  Subscription,
  SubscriptionItem,
} from '../types.ts'
import { runningReductions } from './discounts.ts'
import type { LineSpec } from './invoice-lines.ts'
import { fullLine, productName, recurringOf } from './subscription-billing.ts'
import { buildItem, withPrice } from './subscription-builder.ts'
import { requireSameCycle } from './subscription-create.ts'
import { notesOf } from './subscription-status.ts'

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

export type WantedItems = { items: SubscriptionItem[]; touched: Set<string>; resets: boolean }

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
  if (wanted.price && wanted.price.currency !== subscription.currency) {
    throw invalid(
      `The price specified only supports \`${wanted.price.currency}\`. This doesn't match the expected currency: \`${subscription.currency}\`.`,
      'items[0][price]',
    )
  }
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

export function wantedItems(
  tx: Tx,
  subscription: Subscription,
  changes: ItemChange[],
  resetAnchor: boolean,
): WantedItems {
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
export function creditFor(tx: Tx, subscription: Subscription, item: SubscriptionItem, at: number): PendingItem | null {
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
  const full = reduced(item.price.unit_amount * item.quantity, runningReductions(tx, subscription), item.price.product)
  return {
    amount: shareLeft(full, period, at),
    description: `Remaining time on ${productName(tx, item.price)} after ${dated(at)}`,
    item: item.id,
    period: { start: at, end: period.end },
    price: item.price,
    quantity: item.quantity,
  }
}

export type ChangeCosts = { plan: ChangePlan; prorations: PendingItem[]; full: LineSpec[] }

/** Switches the interval: credits unused time, and starts and bills a new period now. */
export function costsOfReset(
  tx: Tx,
  subscription: Subscription,
  wanted: WantedItems,
  options: ChangeOptions,
): ChangeCosts {
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
export function costsOfSwitch(
  tx: Tx,
  subscription: Subscription,
  wanted: WantedItems,
  options: ChangeOptions,
): ChangeCosts {
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
