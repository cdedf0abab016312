import { incompleteSeconds } from '../clock/next-due-time.ts'
import { ApiError } from '../http/errors.ts'
import { change, type Tx } from '../tx.ts'
import type { ChangePlan, Customer, Invoice, PaymentBehavior, Subscription } from '../types.ts'
import { cardFor, collect } from './collect-invoice.ts'
import { prorationLine } from './invoice-lines.ts'
import { finalizeInvoice, voidInvoice } from './invoices.ts'
import { intentOf } from './payments.ts'
import { billSubscription } from './subscription-billing.ts'
import { withItems } from './subscription-builder.ts'
import {
  type ChangeCosts,
  type ChangeOptions,
  costsOfReset,
  costsOfSwitch,
  type ItemChange,
  wantedItems,
} from './subscription-change-costs.ts'
import { notesOf, settle } from './subscription-status.ts'

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
  costs: ChangeCosts,
): { invoice: Invoice; subscription: Subscription; plan: ChangePlan } {
  const lines = [...costs.prorations.map(prorationLine), ...costs.full]
  const bill = billSubscription(tx, subscription, lines, {
    finalizesAt: null,
    period: { start: tx.at, end: tx.at },
    reason: 'subscription_update',
  })
  return {
    invoice: subscription.pause_collection ? voidInvoice(tx, bill.invoice) : finalizeInvoice(tx, bill.invoice),
    plan: { ...costs.plan, billed: subscription.pause_collection ? {} : { ...costs.plan.billed, ...bill.billed } },
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
function payChange(tx: Tx, before: Subscription, costs: ChangeCosts, options: ChangeOptions, announced = before): void {
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

/** Ends a pause. A new period starts now and is billed, less what the pause has credited. */
export function resumeNow(tx: Tx, subscription: Subscription, paymentBehavior: PaymentBehavior): void {
  const { status_details: _, ...rest } = subscription
  const active: Subscription = { ...rest, status: 'active' }
  const options = { paymentBehavior, prorationAt: tx.at, prorationBehavior: 'none', resetAnchor: true } as const
  const wanted = { items: active.items.data, resets: true, touched: new Set<string>() }
  payChange(tx, active, costsOfReset(tx, active, wanted, options), options, subscription)
}

/** Ends a trial now. The first paid period starts and is billed. */
export function endTrialNow(tx: Tx, subscription: Subscription, options: ChangeOptions): void {
  const active: Subscription = { ...subscription, status: 'active', trial_end: tx.at }
  const costs = costsOfReset(tx, active, { items: active.items.data, resets: true, touched: new Set() }, options)
  const behavior = options.paymentBehavior === 'pending_if_incomplete' ? 'allow_incomplete' : options.paymentBehavior
  payChange(tx, active, costs, { ...options, paymentBehavior: behavior }, subscription)
}
