import { periodEnd } from '../clock/next-due-time.ts'
import { invalid, missing, unsupported } from '../http/errors.ts'
import { refuseUnsupported } from '../http/route.ts'
import type { DiscountParam } from '../objects/discounts.ts'
import { type MetadataParam, mergeMetadata } from '../objects/metadata.ts'
import type { ItemChange } from '../objects/subscription-change-costs.ts'
import type { Tx } from '../tx.ts'
import type { PaymentBehavior, ProrationBehavior, Subscription } from '../types.ts'
import { requireSellable } from './prices.ts'

type CancelAt = number | 'min_period_end' | 'max_period_end' | 'max_billed_until' | ''

export type ItemParam = {
  id?: string
  price?: string
  quantity?: number
  deleted?: boolean
  metadata?: MetadataParam
}

export type SubscriptionParams = {
  automatic_tax?: { enabled: boolean }
  customer?: string
  items?: ItemParam[]
  default_payment_method?: string
  description?: string
  discounts?: DiscountParam[] | ''
  metadata?: MetadataParam
  trial_period_days?: number
  trial_end?: number | 'now'
  trial_settings?: { end_behavior: { missing_payment_method?: string } }
  payment_behavior?: PaymentBehavior
  proration_behavior?: ProrationBehavior
  proration_date?: number
  billing_mode?: { type: 'classic' | 'flexible' }
  billing_cycle_anchor?: { type: 'now' | 'unchanged' }
  cancel_at?: CancelAt
  cancel_at_period_end?: boolean
  cancellation_details?: CancellationParam
  collection_method?: string
  days_until_due?: number
  off_session?: boolean
  pause_collection?: { behavior?: string; resumes_at?: number } | ''
}

export type CancellationParam = { comment?: string; feedback?: string; feedback_option?: string }

const itemFields = new Set(['id', 'price', 'quantity', 'deleted', 'metadata'])

function checkQuantity(quantity: number | undefined, param: string): void {
  if (quantity !== undefined && (quantity < 0 || quantity > 999_999)) {
    throw invalid('Invalid integer: quantity must be between 0 and 999999.', param, 'parameter_invalid_integer')
  }
}

/** Items of a request to create a subscription. */
export function readNewItems(tx: Tx, given: ItemParam[] | undefined) {
  if (!given || given.length === 0) throw invalid('Missing required param: items.', 'items', 'parameter_missing')
  if (given.length > 20) throw invalid('A subscription may have up to 20 items.', 'items')
  return given.map((item, index) => {
    const param = `items[${index}]`
    refuseUnsupported(item, itemFields, param)
    checkQuantity(item.quantity, `${param}[quantity]`)
    if (item.price === undefined) {
      throw invalid(`Missing required param: ${param}[price].`, `${param}[price]`, 'parameter_missing')
    }
    return {
      metadata: mergeMetadata({}, item.metadata),
      price: requireSellable(tx, item.price, `${param}[price]`),
      quantity: item.quantity ?? 1,
    }
  })
}

/** Items of a request to change a subscription. Items without an id are new. */
export function readItemChanges(tx: Tx, subscription: Subscription, given: ItemParam[] | undefined): ItemChange[] {
  return (given ?? []).map((item, index) => {
    const param = `items[${index}]`
    refuseUnsupported(item, itemFields, param)
    checkQuantity(item.quantity, `${param}[quantity]`)
    const known = subscription.items.data.find((each) => each.id === item.id)
    if (item.id !== undefined && !known) throw missing('subscription item', item.id, `${param}[id]`)
    if (item.id === undefined && subscription.items.data.some((each) => each.price.id === item.price)) {
      throw invalid(`Cannot add multiple subscription items with the same plan: ${item.price}`, `${param}[price]`)
    }
    const same = item.price !== undefined && item.price === known?.price.id
    return {
      deleted: item.deleted,
      id: item.id,
      metadata: item.metadata === undefined ? undefined : mergeMetadata(known?.metadata ?? {}, item.metadata),
      price: item.price === undefined || same ? undefined : requireSellable(tx, item.price, `${param}[price]`),
      quantity: item.quantity,
    }
  })
}

function cancelTime(tx: Tx, subscription: Subscription, wanted: CancelAt): number | null {
  if (wanted === '') return null
  if (typeof wanted !== 'number') return periodEnd(subscription)
  if (wanted <= tx.at) {
    throw invalid('Invalid timestamp: cancel_at must be an integer Unix timestamp in the future.', 'cancel_at')
  }
  return wanted
}

/** Merges the cancellation details; an empty string clears them. */
export function withReasons(subscription: Subscription, given: CancellationParam | undefined): Subscription {
  const { comment, feedback } = given ?? {}
  const details = { ...subscription.cancellation_details }
  if (comment !== undefined) details.comment = comment === '' ? null : comment
  if (feedback !== undefined) details.feedback = feedback === '' ? null : feedback
  return { ...subscription, cancellation_details: details }
}

const pauseFields = new Set(['behavior', 'resumes_at'])

/** Pauses payments, changes the pause, or ends it with an empty string. */
export function withPause(
  tx: Tx,
  subscription: Subscription,
  given: SubscriptionParams['pause_collection'],
): Subscription {
  if (given === undefined) return subscription
  if (given === '') return { ...subscription, pause_collection: null }
  refuseUnsupported(given, pauseFields, 'pause_collection')
  const { behavior, resumes_at: resumesAt } = given
  if (behavior === undefined) {
    const param = 'pause_collection[behavior]'
    throw invalid(`Missing required param: ${param}.`, param, 'parameter_missing')
  }
  if (behavior !== 'void') throw unsupported(`pause_collection[behavior]=${behavior}`)
  if (resumesAt !== undefined && resumesAt <= tx.at) {
    throw invalid('Invalid timestamp: resumes_at must be in the future.', 'pause_collection[resumes_at]')
  }
  return { ...subscription, pause_collection: { behavior, resumes_at: resumesAt ?? null } }
}

/** Sets the end of a subscription as requested: by flag, by date, or none. */
export function withEnd(tx: Tx, subscription: Subscription, params: SubscriptionParams): Subscription {
  if (params.cancel_at_period_end !== undefined && params.cancel_at !== undefined && params.cancel_at !== '') {
    throw invalid('You may only specify one of these parameters: cancel_at, cancel_at_period_end.', 'cancel_at')
  }
  if (params.cancel_at_period_end === undefined && params.cancel_at === undefined) return subscription
  const flag = params.cancel_at_period_end ?? false
  const at = flag ? periodEnd(subscription) : cancelTime(tx, subscription, params.cancel_at ?? '')
  const reason = at === null ? null : 'cancellation_requested'
  return {
    ...subscription,
    cancel_at: at,
    cancel_at_period_end: flag,
    canceled_at: at === null ? null : (subscription.canceled_at ?? tx.at),
    cancellation_details:
      at === null
        ? { comment: null, feedback: null, feedback_option: null, reason }
        : { ...subscription.cancellation_details, reason },
  }
}
