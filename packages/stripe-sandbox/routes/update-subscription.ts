import { ApiError, invalid } from '../http/errors.ts'
import { requires } from '../http/find-objects.ts'
import { cardFor, collect } from '../objects/collect-invoice.ts'
import { attachDiscount, readDiscounts } from '../objects/discounts.ts'
import { finalizeInvoice } from '../objects/invoices.ts'
import { clearedBy, mergeMetadata } from '../objects/metadata.ts'
import { requireCardOf } from '../objects/payment-methods.ts'
import { billSubscription } from '../objects/subscription-billing.ts'
import { automaticTax } from '../objects/subscription-builder.ts'
import { creditFor } from '../objects/subscription-change-costs.ts'
import { changeItems, endTrialNow } from '../objects/subscription-changes.ts'
import { trialEndOf } from '../objects/subscription-create.ts'
import { ended, endSubscription, notesOf, settle } from '../objects/subscription-status.ts'
import { change, type Tx } from '../tx.ts'
import type { Customer, Subscription } from '../types.ts'
import {
  type CancellationParam,
  readItemChanges,
  type SubscriptionParams,
  withEnd,
  withPause,
  withReasons,
} from './subscription-params.ts'

/** @param param the parameter with the id */
export const requireSubscription = requires<Subscription>('subscription')

/** Updates fields that don't affect items or billing. */
function updatePlain(tx: Tx, subscription: Subscription, params: SubscriptionParams): Subscription {
  const method = params.default_payment_method
  const discounts = params.discounts
  const redemptions = readDiscounts(tx, discounts, subscription.customer, {
    amount: Number.MAX_SAFE_INTEGER,
    currency: subscription.currency,
    products: subscription.items.data.map(({ price }) => price.product),
  })
  const reused = (discounts || []).map(({ discount }) => discount)
  const kept = subscription.discounts.filter((id) => discounts === undefined || reused.includes(id))
  const card = method ? requireCardOf(tx, subscription.customer, method, 'default_payment_method').id : null
  const plain: Subscription = {
    ...subscription,
    automatic_tax: params.automatic_tax ? automaticTax(params.automatic_tax.enabled) : subscription.automatic_tax,
    default_payment_method: method === undefined ? subscription.default_payment_method : card,
    description: clearedBy(params.description, (subscription.description as string | null) ?? null),
    discounts: [...kept, ...redemptions.map((each) => attachDiscount(tx, each, subscription, null).id)],
    metadata: mergeMetadata(subscription.metadata, params.metadata),
  }
  const missing = params.trial_settings?.end_behavior.missing_payment_method
  if (missing !== undefined) {
    const behavior = { ...plain.trial_settings.end_behavior, missing_payment_method: missing }
    plain.trial_settings = { end_behavior: behavior }
  }
  const paused = withPause(tx, plain, params.pause_collection)
  const after = withReasons(withEnd(tx, paused, params), params.cancellation_details)
  return change(tx, 'customer.subscription.updated', subscription, after)
}

function extendTrial(tx: Tx, subscription: Subscription, end: number): void {
  const until = trialEndOf(tx, undefined, end) ?? tx.at
  const items = subscription.items.data.map((item) => ({ ...item, current_period_end: until }))
  const after: Subscription = {
    ...subscription,
    billing_cycle_anchor: until,
    items: { ...subscription.items, data: items },
    status: 'trialing',
    trial_end: until,
    trial_start: subscription.trial_start ?? tx.at,
  }
  change(tx, 'customer.subscription.updated', subscription, after, {
    ...notesOf(tx, subscription.id),
    trialWillEndSent: false,
  })
}

/**
 * Changes a subscription as `POST /v1/subscriptions/:id` does; the portal and previews use it too.
 * @throws ApiError 400 for an ended subscription, 402 with `error_if_incomplete`
 */
export function updateSubscription(tx: Tx, subscription: Subscription, params: SubscriptionParams): Subscription {
  const onlyWords = Object.keys(params).every((name) => ['metadata', 'cancellation_details', 'expand'].includes(name))
  if (ended(subscription) && !onlyWords) {
    throw invalid('A canceled subscription can only update its cancellation_details and metadata.')
  }
  const options = {
    paymentBehavior: params.payment_behavior ?? 'allow_incomplete',
    prorationAt: params.proration_date ?? tx.at,
    prorationBehavior: params.proration_behavior ?? 'create_prorations',
    resetAnchor: params.billing_cycle_anchor?.type === 'now',
  } as const
  const plain = updatePlain(tx, subscription, params)
  if (params.trial_end === 'now' && plain.status === 'trialing') endTrialNow(tx, plain, options)
  if (typeof params.trial_end === 'number') extendTrial(tx, plain, params.trial_end)
  if (params.items || options.resetAnchor) {
    if (plain.status === 'incomplete' || plain.status === 'paused') {
      throw invalid(`This sandbox does not change the items of a subscription that is ${plain.status}.`, 'items')
    }
    const now = requireSubscription(tx, plain.id)
    changeItems(tx, now, readItemChanges(tx, now, params.items), options)
  }
  return requireSubscription(tx, subscription.id)
}

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
