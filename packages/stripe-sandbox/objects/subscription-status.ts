import { nextAttempt } from '../billing/billing-periods.ts'
import { trialNoticeSeconds } from '../clock/next-due-time.ts'
import type { Store } from '../store/store.ts'
import { change, emit, type Tx } from '../tx.ts'
import type { CancellationDetails, Customer, Invoice, InvoiceNotes, Subscription, SubscriptionNotes } from '../types.ts'
import { invoicesOf, isSent, stopCollecting, voidInvoice } from './invoices.ts'
import { withItems } from './subscription-builder.ts'

/** The fate of a subscription after the last failed attempt of a renewal. At Stripe this is an account setting. */
export const endings = ['canceled', 'unpaid', 'past_due'] as const
export type Ending = (typeof endings)[number]

export const readEnding = (store: Store): Ending =>
  endings.find((each) => each === store.setting('after_last_try')) ?? 'canceled'

export const saveEnding = (store: Store, ending: Ending): void => store.saveSetting('after_last_try', ending)

export const notesOf = (tx: Tx, id: string): SubscriptionNotes => ({
  billed: {},
  pendingItems: [],
  trialWillEndSent: false,
  pendingPlan: null,
  pendingInvoice: null,
  ...tx.store.notes<SubscriptionNotes>(id),
})

export const ended = (subscription: Subscription): boolean =>
  subscription.status === 'canceled' || subscription.status === 'incomplete_expired'

/**
 * Sends `trial_will_end` once: three days before the end of a trial, or at once if the trial is shorter.
 * @returns whether it was sent now
 */
export function announceTrialEnd(tx: Tx, subscription: Subscription): boolean {
  const end = subscription.trial_end ?? 0
  const isAnnounced = notesOf(tx, subscription.id).trialWillEndSent
  if (isAnnounced || subscription.status !== 'trialing' || end - trialNoticeSeconds > tx.at || end <= tx.at)
    return false
  tx.store.put(subscription, { ...notesOf(tx, subscription.id), trialWillEndSent: true })
  emit(tx, 'customer.subscription.trial_will_end', subscription)
  return true
}

/** A customer with an unpaid renewal is delinquent. */
function markDelinquent(tx: Tx, id: string, delinquent: boolean): void {
  const customer = tx.store.find<Customer>('customer', id)
  if (customer && customer.delinquent !== delinquent)
    change(tx, 'customer.updated', customer, { ...customer, delinquent })
}

/** Ends a subscription now. Its open invoices stay, but are no longer collected. */
export function endSubscription(
  tx: Tx,
  subscription: Subscription,
  details: Partial<CancellationDetails>,
): Subscription {
  for (const status of ['draft', 'open'] as const) {
    for (const invoice of invoicesOf(tx, subscription.id, status)) stopCollecting(tx, invoice)
  }
  const canceled: Subscription = {
    ...subscription,
    canceled_at: subscription.canceled_at ?? tx.at,
    cancellation_details: { ...subscription.cancellation_details, ...details },
    ended_at: tx.at,
    pending_update: null,
    status: 'canceled',
  }
  tx.store.put(canceled, { ...notesOf(tx, subscription.id), pendingPlan: null, pendingInvoice: null, pendingItems: [] })
  emit(tx, 'customer.subscription.deleted', canceled)
  markDelinquent(tx, subscription.customer, false)
  return canceled
}

/** Stops the billing periods until the subscription is resumed. */
export function pause(tx: Tx, subscription: Subscription, reason: string): Subscription {
  const details = { paused: { subscription: { type: reason }, transitioned_at: tx.at, type: 'subscription' } }
  const paused: Subscription = { ...subscription, status: 'paused', status_details: details }
  tx.store.put(paused)
  emit(tx, 'customer.subscription.paused', paused)
  return paused
}

/** Expires a subscription whose first payment hasn't succeeded within 23 hours. */
export function expireIncomplete(tx: Tx, subscription: Subscription): void {
  for (const invoice of invoicesOf(tx, subscription.id, 'open')) voidInvoice(tx, invoice)
  change(tx, 'customer.subscription.updated', subscription, {
    ...subscription,
    ended_at: tx.at,
    status: 'incomplete_expired',
  })
}

const isLatest = (subscription: Subscription, invoice: Invoice): boolean => subscription.latest_invoice === invoice.id

function applyPending(tx: Tx, subscription: Subscription): void {
  const notes = notesOf(tx, subscription.id)
  if (!notes.pendingPlan) return
  const { items, billed, anchor } = notes.pendingPlan
  const after: Subscription = { ...withItems(subscription, items), billing_cycle_anchor: anchor, pending_update: null }
  const rest = { ...notes, billed, pendingInvoice: null, pendingItems: [], pendingPlan: null }
  change(tx, 'customer.subscription.updated', subscription, after, rest)
  emit(tx, 'customer.subscription.pending_update_applied', after)
}

/** Discards a pending change that wasn't paid in time. The plan stays and the invoice is voided. */
export function expirePending(tx: Tx, subscription: Subscription): void {
  const notes = notesOf(tx, subscription.id)
  const invoice = notes.pendingInvoice ? tx.store.find<Invoice>('invoice', notes.pendingInvoice) : undefined
  if (invoice?.status === 'open') voidInvoice(tx, invoice)
  const after: Subscription = { ...subscription, pending_update: null }
  change(tx, 'customer.subscription.updated', subscription, after, {
    ...notes,
    pendingPlan: null,
    pendingInvoice: null,
  })
  emit(tx, 'customer.subscription.pending_update_expired', after)
}

/** Updates the subscription of a paid invoice. */
function settlePaid(tx: Tx, subscription: Subscription, invoice: Invoice): void {
  if (notesOf(tx, subscription.id).pendingInvoice === invoice.id) {
    applyPending(tx, subscription)
    return
  }
  const wakes =
    subscription.status === 'incomplete' ||
    ((subscription.status === 'past_due' || subscription.status === 'unpaid') &&
      (isSent(subscription) ? !hasOverdue(tx, subscription) : isLatest(subscription, invoice)))
  if (!wakes) return
  change(tx, 'customer.subscription.updated', subscription, { ...subscription, status: 'active' })
  markDelinquent(tx, subscription.customer, false)
}

/** Applies the setting for the last failed attempt. An unpaid subscription still gets invoices, which aren't collected. */
function giveUp(tx: Tx, subscription: Subscription): void {
  const ending = readEnding(tx.store)
  if (ending === 'canceled') {
    endSubscription(tx, subscription, { reason: 'payment_failed' })
    return
  }
  change(tx, 'customer.subscription.updated', subscription, { ...subscription, status: ending })
  markDelinquent(tx, subscription.customer, true)
}

/** Updates the subscription after a failed attempt: past due, or its end after the last attempt. */
function settleFailed(tx: Tx, subscription: Subscription, invoice: Invoice): void {
  if (subscription.status === 'incomplete' || notesOf(tx, subscription.id).pendingInvoice === invoice.id) return
  const pastDue: Subscription = { ...subscription, status: 'past_due' }
  const givenUp = invoice.auto_advance && nextAttempt(invoice.attempt_count, tx.at) === null
  if (givenUp && (subscription.status === 'past_due' || isLatest(subscription, invoice))) {
    giveUp(tx, subscription)
    return
  }
  if (!isLatest(subscription, invoice) && subscription.status !== 'active') return
  change(tx, 'customer.subscription.updated', subscription, pastDue)
  markDelinquent(tx, subscription.customer, true)
}

const hasOverdue = (tx: Tx, { id }: Subscription): boolean =>
  invoicesOf(tx, id, 'open').some((open) => tx.store.notes<InvoiceNotes>(open.id).late)

/** An invoice that was sent isn't paid in time: past due, and the end some days later, as after the last failed attempt. */
export function passDueDate(tx: Tx, invoice: Invoice): void {
  const notes = tx.store.notes<InvoiceNotes>(invoice.id)
  const late = notes.late ? 'given up' : 'overdue'
  tx.store.put(invoice, { ...notes, late })
  if (late === 'overdue') emit(tx, 'invoice.overdue', invoice)
  const subscription = tx.store.find<Subscription>('subscription', invoice.parent.subscription_details.subscription)
  if (!subscription || ended(subscription)) return
  if (late === 'given up') {
    giveUp(tx, subscription)
    return
  }
  change(tx, 'customer.subscription.updated', subscription, { ...subscription, status: 'past_due' })
  markDelinquent(tx, subscription.customer, true)
}

/** Applies the result of a payment to the invoice's subscription. */
export function settle(tx: Tx, invoice: Invoice): void {
  const subscription = tx.store.find<Subscription>('subscription', invoice.parent.subscription_details.subscription)
  if (!subscription || ended(subscription)) return
  if (invoice.status === 'paid') settlePaid(tx, subscription, invoice)
  // One that was sent has until its due date.
  else if (invoice.attempted && !isSent(invoice)) settleFailed(tx, subscription, invoice)
}
