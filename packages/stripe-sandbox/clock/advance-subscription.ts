import { draftSeconds } from '../billing/billing-periods.ts'
import { cardFor } from '../objects/collect-invoice.ts'
import { stopCollecting, voidInvoice } from '../objects/invoices.ts'
import { billSubscription, cycleAt, fullLine } from '../objects/subscription-billing.ts'
import { withItems } from '../objects/subscription-builder.ts'
import {
  announceTrialEnd,
  endSubscription,
  expireIncomplete,
  expirePending,
  notesOf,
  pause,
} from '../objects/subscription-status.ts'
import { change, type Tx } from '../tx.ts'
import type { Customer, Subscription } from '../types.ts'
import { periodEnd } from './next-due-time.ts'

/**
 * Moves all items to the period that starts now and drafts its invoice, which is finalized an hour later. During a pause
 * the invoice is voided at once.
 */
function startPeriod(tx: Tx, before: Subscription, after: Subscription): void {
  const [first] = before.items.data
  const period = cycleAt(after, tx.at)
  const items = after.items.data.map((item) => ({
    ...item,
    current_period_end: period.end,
    current_period_start: period.start,
  }))
  const moved = withItems(after, items)
  const bill = billSubscription(
    tx,
    moved,
    items.map((item) => fullLine(tx, item, period)),
    {
      finalizesAt: tx.at + draftSeconds,
      period: { start: first?.current_period_start ?? tx.at, end: tx.at },
      reason: 'subscription_cycle',
    },
  )
  const notes = { ...notesOf(tx, before.id), billed: bill.billed, pendingItems: [] }
  change(tx, 'customer.subscription.updated', before, bill.subscription, notes)
  if (bill.subscription.pause_collection) voidInvoice(tx, bill.invoice)
  else if (bill.subscription.status === 'unpaid') stopCollecting(tx, bill.invoice)
}

function endTrial(tx: Tx, subscription: Subscription): void {
  const customer = tx.store.find<Customer>('customer', subscription.customer)
  const without = cardFor(tx, subscription, customer) === undefined
  const wish = subscription.trial_settings.end_behavior.missing_payment_method
  if (without && wish === 'cancel') {
    endSubscription(tx, subscription, { reason: 'cancellation_requested' })
  } else if (without && wish === 'pause') {
    pause(tx, subscription, 'trial_end_without_payment_method')
  } else startPeriod(tx, subscription, { ...subscription, status: 'active' })
}

function moveTrial(tx: Tx, subscription: Subscription): void {
  if (!announceTrialEnd(tx, subscription)) endTrial(tx, subscription)
}

/** Processes the subscription's next due change. Callers repeat it until nothing is due. */
export function moveSubscription(tx: Tx, subscription: Subscription): void {
  const { pending_update: pending, cancel_at: end, cancellation_details: details } = subscription
  const resumesAt = subscription.pause_collection?.resumes_at ?? null
  if (subscription.status === 'incomplete') expireIncomplete(tx, subscription)
  else if (pending && pending.expires_at <= tx.at) expirePending(tx, subscription)
  else if (end !== null && end <= tx.at) {
    endSubscription(tx, subscription, { reason: details.reason ?? 'cancellation_requested' })
  } else if (resumesAt !== null && resumesAt <= tx.at) {
    change(tx, 'customer.subscription.updated', subscription, { ...subscription, pause_collection: null })
  } else if (subscription.status === 'trialing') moveTrial(tx, subscription)
  else if (periodEnd(subscription) <= tx.at) startPeriod(tx, subscription, subscription)
}
