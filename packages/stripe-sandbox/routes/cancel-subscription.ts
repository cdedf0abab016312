import { ApiError } from '../http/errors.ts'
import { cardFor, collect } from '../objects/collect-invoice.ts'
import { finalizeInvoice } from '../objects/invoices.ts'
import { billSubscription } from '../objects/subscription-billing.ts'
import { creditFor } from '../objects/subscription-change-costs.ts'
import { ended, endSubscription, notesOf, settle } from '../objects/subscription-status.ts'
import type { Tx } from '../tx.ts'
import type { Customer, Subscription } from '../types.ts'
import { type CancellationParam, withReasons } from './subscription-params.ts'
import { requireSubscription } from './update-subscription.ts'

export type CancelParams = { cancellation_details?: CancellationParam; invoice_now?: boolean; prorate?: boolean }

/** Credits the rest of the current period on the next invoice: the final one, or that of resuming. */
export function prorateRest(tx: Tx, subscription: Subscription): void {
  const notes = notesOf(tx, subscription.id)
  const credits = subscription.items.data.flatMap((item) => creditFor(tx, subscription, item, tx.at) ?? [])
  tx.store.put(subscription, { ...notes, pendingItems: [...notes.pendingItems, ...credits] })
}

function billRest(tx: Tx, subscription: Subscription): Subscription {
  if (notesOf(tx, subscription.id).pendingItems.length === 0) return subscription
  const options = { finalizesAt: null, period: { start: tx.at, end: tx.at }, reason: 'subscription_update' as const }
  const bill = billSubscription(tx, subscription, [], options)
  tx.store.put(bill.subscription, { ...notesOf(tx, subscription.id), pendingItems: [] })
  const method = cardFor(tx, subscription, tx.store.find<Customer>('customer', subscription.customer))
  settle(tx, collect(tx, finalizeInvoice(tx, bill.invoice), { method }).invoice)
  return requireSubscription(tx, subscription.id)
}

/** Ends a subscription at once. @throws ApiError 404 if it has ended */
export function cancelNow(tx: Tx, subscription: Subscription, params: CancelParams): Subscription {
  if (ended(subscription)) {
    throw new ApiError(404, 'invalid_request_error', `No such subscription: '${subscription.id}'`, {
      code: 'resource_missing',
      param: 'id',
    })
  }
  if (params.prorate) prorateRest(tx, subscription)
  const billed = params.invoice_now ? billRest(tx, subscription) : subscription
  if (ended(billed)) return billed
  return endSubscription(tx, withReasons(billed, params.cancellation_details), { reason: 'cancellation_requested' })
}
