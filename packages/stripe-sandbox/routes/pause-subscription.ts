import { invalid, unsupported } from '../http/errors.ts'
import { refuseUnsupported } from '../http/route.ts'
import { resumeNow } from '../objects/subscription-changes.ts'
import { notesOf, pause } from '../objects/subscription-status.ts'
import { emit, type Tx } from '../tx.ts'
import type { JsonObject, Subscription } from '../types.ts'
import { prorateRest } from './cancel-subscription.ts'
import { requireSubscription } from './require-subscription.ts'

export type PauseParams = { bill_for?: { unused_time_from?: { type: string } }; invoicing_behavior?: string }
export type ResumeParams = { billing_cycle_anchor?: { type: string }; payment_behavior?: string }

/** Unused time is credited on the invoice of resuming, unless `bill_for` says otherwise. */
export function pauseSubscription(tx: Tx, subscription: Subscription, params: PauseParams): Subscription {
  if (subscription.status !== 'active') {
    throw invalid(`This sandbox pauses only active subscriptions, and this one is ${subscription.status}.`)
  }
  refuseUnsupported(params.bill_for as JsonObject | undefined, new Set(['unused_time_from']), 'bill_for')
  const credits = params.bill_for?.unused_time_from?.type ?? 'now'
  if (credits === 'item_current_period_start') throw unsupported(`bill_for[unused_time_from][type]=${credits}`)
  if (params.invoicing_behavior === 'invoice') throw unsupported('invoicing_behavior=invoice')
  if (credits === 'now') prorateRest(tx, subscription)
  tx.store.put(subscription, { ...notesOf(tx, subscription.id), billed: {} })
  return pause(tx, subscription, 'pause_requested')
}

/**
 * Starts a new period and bills it. If its payment fails, the subscription is past due, as at Stripe by default.
 * @throws ApiError 402 with `resume_on_payment_success`; the subscription stays paused
 */
export function resumeSubscription(tx: Tx, subscription: Subscription, params: ResumeParams): Subscription {
  if (subscription.status !== 'paused') throw invalid('This subscription is not paused, so it cannot be resumed.')
  if (params.billing_cycle_anchor?.type === 'unchanged') throw unsupported('billing_cycle_anchor[type]=unchanged')
  const needsPayment = params.payment_behavior === 'resume_on_payment_success'
  resumeNow(tx, subscription, needsPayment ? 'error_if_incomplete' : 'allow_incomplete')
  const resumed = requireSubscription(tx, subscription.id)
  emit(tx, 'customer.subscription.resumed', resumed)
  return resumed
}
