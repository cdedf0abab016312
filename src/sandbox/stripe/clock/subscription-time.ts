import { draftSeconds } from '../billing/dunning.ts'
import { cardFor } from '../objects/collect.ts'
import { billSubscription, cycleAt, fullLine } from '../objects/subscription-billing.ts'
import { withItems } from '../objects/subscription-builder.ts'
import { endSubscription, expireIncomplete, expirePending, notesOf } from '../objects/subscription-status.ts'
import { change, emit, type Tx } from '../tx.ts'
import type { Customer, Subscription } from '../types.ts'
import { periodEnd, trialNoticeSeconds } from './due.ts'

/** Moves all items to the period that starts now and drafts its invoice, which becomes final an hour later. */
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
}

function endTrial(tx: Tx, subscription: Subscription): void {
  const customer = tx.store.find<Customer>('customer', subscription.customer)
  const without = cardFor(tx, subscription, customer) === undefined
  const wish = subscription.trial_settings.end_behavior.missing_payment_method
  if (without && wish === 'cancel') return void endSubscription(tx, subscription, { reason: 'cancellation_requested' })
  if (without && wish === 'pause') {
    const paused: Subscription = { ...subscription, status: 'paused' }
    tx.store.put(paused)
    emit(tx, 'customer.subscription.paused', paused)
    return
  }
  startPeriod(tx, subscription, { ...subscription, status: 'active' })
}

function announceTrialEnd(tx: Tx, subscription: Subscription): void {
  tx.store.put(subscription, { ...notesOf(tx, subscription.id), trialWillEndSent: true })
  emit(tx, 'customer.subscription.trial_will_end', subscription)
}

/** Does the next thing that time has in store for a subscription; the caller asks again until nothing is due. */
export function moveSubscription(tx: Tx, subscription: Subscription): void {
  if (subscription.status === 'incomplete') return expireIncomplete(tx, subscription)
  if (subscription.pending_update && subscription.pending_update.expires_at <= tx.at)
    return expirePending(tx, subscription)
  if (subscription.cancel_at !== null && subscription.cancel_at <= tx.at) {
    return void endSubscription(tx, subscription, {
      reason: subscription.cancellation_details.reason ?? 'cancellation_requested',
    })
  }
  if (subscription.status === 'trialing') {
    const end = subscription.trial_end ?? 0
    if (!notesOf(tx, subscription.id).trialWillEndSent && end - trialNoticeSeconds <= tx.at && end > tx.at) {
      return announceTrialEnd(tx, subscription)
    }
    return endTrial(tx, subscription)
  }
  if (periodEnd(subscription) <= tx.at) startPeriod(tx, subscription, subscription)
}
