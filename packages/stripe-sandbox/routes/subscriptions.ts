import { shareLeft } from '../billing/proration.ts'
import { ApiError, invalid, missing, unsupported } from '../http/errors.ts'
import { list, type PageParams, type Range, rangeOf } from '../http/lists.ts'
import { route } from '../http/route.ts'
import { cardFor, collect } from '../objects/collect-invoice.ts'
import { requireCustomer } from '../objects/customers.ts'
import { attachDiscount, orderOf, readDiscounts } from '../objects/discounts.ts'
import { finalizeInvoice } from '../objects/invoices.ts'
import { clearedBy, mergeMetadata } from '../objects/metadata.ts'
import { requireCardOf } from '../objects/payment-methods.ts'
import { billSubscription, productName } from '../objects/subscription-billing.ts'
import { changeItems, endTrialNow } from '../objects/subscription-changes.ts'
import { createSubscription, trialEndOf } from '../objects/subscription-create.ts'
import { ended, endSubscription, notesOf, settle } from '../objects/subscription-status.ts'
import { change, inTimeOf, inTimeOfCustomer, type Tx } from '../tx.ts'
import type { Customer, Subscription } from '../types.ts'
import {
  type CancellationParam,
  readItemChanges,
  readNewItems,
  type SubscriptionParams,
  withEnd,
  withReasons,
} from './subscription-params.ts'

/** @param param the parameter with the id */
export function requireSubscription(tx: Tx, id: string, param = 'id'): Subscription {
  const subscription = tx.store.find<Subscription>('subscription', id)
  if (!subscription) throw missing('subscription', id, param)
  return subscription
}

function createFrom(given: Tx, params: SubscriptionParams): Subscription {
  if (params.customer === undefined) throw invalid('Missing required param: customer.', 'customer', 'parameter_missing')
  if (params.collection_method === 'send_invoice') throw unsupported('collection_method=send_invoice')
  const customer = requireCustomer(given, params.customer, 'customer')
  const tx = inTimeOf(given, customer)
  const items = readNewItems(tx, params.items)
  const method = params.default_payment_method
  const created = createSubscription(tx, {
    authenticated: false,
    billingMode: params.billing_mode?.type ?? 'flexible',
    checkoutSession: null,
    customer,
    defaultPaymentMethod: method ? requireCardOf(tx, customer.id, method, 'default_payment_method').id : null,
    description: clearedBy(params.description, null),
    items,
    metadata: mergeMetadata({}, params.metadata),
    missingPaymentMethod: params.trial_settings?.end_behavior.missing_payment_method ?? 'create_invoice',
    paymentBehavior: params.payment_behavior ?? 'allow_incomplete',
    redemptions: readDiscounts(tx, params.discounts, customer.id, orderOf(items)),
    trialEnd: trialEndOf(tx, params.trial_period_days, params.trial_end),
  })
  const ending = withEnd(tx, created, params)
  return ending === created ? created : change(tx, 'customer.subscription.updated', created, ending)
}

const fresh = (tx: Tx, id: string): Subscription => requireSubscription(tx, id)

/** Updates fields that don't affect items or billing. */
function updatePlain(tx: Tx, subscription: Subscription, params: SubscriptionParams): Subscription {
  const method = params.default_payment_method
  const discounts = params.discounts
  const redemptions = readDiscounts(tx, discounts, subscription.customer, {
    amount: Number.MAX_SAFE_INTEGER,
    currency: subscription.currency,
  })
  const kept = discounts === undefined ? subscription.discounts : []
  const card = method ? requireCardOf(tx, subscription.customer, method, 'default_payment_method').id : null
  const plain: Subscription = {
    ...subscription,
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
  const after = withReasons(withEnd(tx, plain, params), params.cancellation_details)
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
    const now = fresh(tx, plain.id)
    changeItems(tx, now, readItemChanges(tx, now, params.items), options)
  }
  return fresh(tx, subscription.id)
}

type CancelParams = { cancellation_details?: CancellationParam; invoice_now?: boolean; prorate?: boolean }

/** Credits the rest of the current period on the final invoice of a canceled subscription. */
function prorateRest(tx: Tx, subscription: Subscription): void {
  const notes = notesOf(tx, subscription.id)
  const credits = subscription.items.data.flatMap((item) => {
    const billed = notes.billed[item.id]
    if (!billed || billed.amount === 0) return []
    const description = `Unused time on ${productName(tx, item.price)}`
    const period = { start: tx.at, end: billed.end }
    return [
      {
        amount: -shareLeft(billed.amount, billed, tx.at),
        description,
        item: item.id,
        period,
        price: item.price,
        quantity: item.quantity,
      },
    ]
  })
  tx.store.put(subscription, { ...notes, pendingItems: [...notes.pendingItems, ...credits] })
}

function billRest(tx: Tx, subscription: Subscription): Subscription {
  if (notesOf(tx, subscription.id).pendingItems.length === 0) return subscription
  const options = { finalizesAt: null, period: { start: tx.at, end: tx.at }, reason: 'subscription_update' as const }
  const bill = billSubscription(tx, subscription, [], options)
  tx.store.put(bill.subscription, { ...notesOf(tx, subscription.id), pendingItems: [] })
  const method = cardFor(tx, subscription, tx.store.find<Customer>('customer', subscription.customer))
  settle(tx, collect(tx, finalizeInvoice(tx, bill.invoice), { method }).invoice)
  return fresh(tx, subscription.id)
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

type ListParams = PageParams & {
  collection_method?: string
  current_period_end?: Range
  current_period_start?: Range
  customer?: string
  price?: string
  status?: string
  test_clock?: string
}

const statusWhere = (status: string | undefined): { where: string[]; values: string[] } => {
  if (status === 'all') return { where: [], values: [] }
  if (status === undefined) return { where: [`status <> 'canceled'`], values: [] }
  if (status === 'ended') return { where: [`status in ('canceled', 'incomplete_expired')`], values: [] }
  return { where: ['status = ?'], values: [status] }
}

function listSubscriptions(tx: Tx, params: ListParams) {
  const { where, values } = statusWhere(params.status)
  const all: (string | number)[] = [...values]
  if (params.customer !== undefined) {
    where.push('customer = ?')
    all.push(params.customer)
  }
  if (params.test_clock !== undefined) {
    where.push('test_clock = ?')
    all.push(params.test_clock)
  }
  // Subscriptions on test clocks would distort totals, so they are listed only on request.
  if (params.customer === undefined && params.test_clock === undefined) where.push('test_clock is null')
  if (params.price !== undefined) {
    where.push(
      `exists (select 1 from json_each(objects.json, '$.items.data') where json_extract(value, '$.price.id') = ?)`,
    )
    all.push(params.price)
  }
  for (const field of ['current_period_start', 'current_period_end'] as const) {
    const range = rangeOf(`json_extract(json, '$.items.data[0].${field}')`, params[field])
    where.push(...range.where)
    all.push(...range.values)
  }
  return list(tx, { params, type: 'subscription', url: '/v1/subscriptions', values: all, where })
}

const createSupports =
  'customer items default_payment_method description discounts metadata trial_period_days trial_end trial_settings ' +
  'payment_behavior proration_behavior billing_mode cancel_at cancel_at_period_end collection_method off_session currency'
const updateSupports =
  'items default_payment_method description discounts metadata trial_end trial_settings payment_behavior proration_behavior ' +
  'proration_date billing_cycle_anchor cancel_at cancel_at_period_end cancellation_details off_session'

export const subscriptionRoutes = [
  route<SubscriptionParams>('POST', '/v1/subscriptions', 'post_subscriptions', createSupports, ({ tx, params }) =>
    createFrom(tx, params),
  ),
  route<ListParams>(
    'GET',
    '/v1/subscriptions',
    'get_subscriptions',
    'customer status price test_clock created current_period_end current_period_start collection_method',
    ({ tx, params }) => listSubscriptions(tx, params),
  ),
  route('GET', '/v1/subscriptions/:id', 'retrieve', '', ({ tx, id }) => requireSubscription(tx, id)),
  route<SubscriptionParams>(
    'POST',
    '/v1/subscriptions/:id',
    'post_subscriptions_id',
    updateSupports,
    ({ tx, params, id }) => {
      const subscription = requireSubscription(tx, id)
      return updateSubscription(inTimeOfCustomer(tx, subscription.customer), subscription, params)
    },
  ),
  route<CancelParams>(
    'DELETE',
    '/v1/subscriptions/:id',
    'delete_subscriptions_id',
    'cancellation_details invoice_now prorate',
    ({ tx, params, id }) => {
      const subscription = requireSubscription(tx, id)
      return cancelNow(inTimeOfCustomer(tx, subscription.customer), subscription, params)
    },
  ),
]
