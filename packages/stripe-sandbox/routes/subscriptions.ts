import { invalid, unsupported } from '../http/errors.ts'
import { list, type PageParams, type Range, rangeOf, refuseUnsupported, route } from '../http/route.ts'
import { requireCustomer } from '../objects/customers.ts'
import { orderOf, readDiscounts } from '../objects/discounts.ts'
import { clearedBy, mergeMetadata } from '../objects/metadata.ts'
import { requireCardOf } from '../objects/payment-methods.ts'
import { resumeNow } from '../objects/subscription-changes.ts'
import { createSubscription, trialEndOf } from '../objects/subscription-create.ts'
import { notesOf, pause } from '../objects/subscription-status.ts'
import { change, emit, inTimeOf, inTimeOfCustomer, type Tx } from '../tx.ts'
import type { JsonObject, Subscription } from '../types.ts'
import { readNewItems, type SubscriptionParams, withEnd } from './subscription-params.ts'
import {
  type CancelParams,
  cancelNow,
  prorateRest,
  requireSubscription,
  updateSubscription,
} from './update-subscription.ts'

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

type PauseParams = { bill_for?: { unused_time_from?: { type: string } }; invoicing_behavior?: string }
type ResumeParams = { billing_cycle_anchor?: { type: string }; payment_behavior?: string }

/** Unused time is credited on the invoice of resuming, unless `bill_for` says otherwise. */
function pauseSubscription(tx: Tx, subscription: Subscription, params: PauseParams): Subscription {
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
function resumeSubscription(tx: Tx, subscription: Subscription, params: ResumeParams): Subscription {
  if (subscription.status !== 'paused') throw invalid('This subscription is not paused, so it cannot be resumed.')
  if (params.billing_cycle_anchor?.type === 'unchanged') throw unsupported('billing_cycle_anchor[type]=unchanged')
  const needsPayment = params.payment_behavior === 'resume_on_payment_success'
  resumeNow(tx, subscription, needsPayment ? 'error_if_incomplete' : 'allow_incomplete')
  const resumed = requireSubscription(tx, subscription.id)
  emit(tx, 'customer.subscription.resumed', resumed)
  return resumed
}

function createFrom(given: Tx, params: SubscriptionParams): Subscription {
  if (params.customer === undefined) throw invalid('Missing required param: customer.', 'customer', 'parameter_missing')
  const isSent = params.collection_method === 'send_invoice'
  const days = params.days_until_due ?? null
  if (isSent !== (days !== null)) {
    throw invalid(
      isSent
        ? 'You must pass days_until_due when collection_method is send_invoice.'
        : 'days_until_due is only for collection_method send_invoice.',
      'days_until_due',
    )
  }
  if (days !== null && (days < 0 || days > 365)) throw invalid('Invalid integer: days_until_due', 'days_until_due')
  const customer = requireCustomer(given, params.customer, 'customer')
  const tx = inTimeOf(given, customer)
  const items = readNewItems(tx, params.items)
  const method = params.default_payment_method
  const created = createSubscription(tx, {
    authenticated: false,
    automaticTax: params.automatic_tax?.enabled ?? false,
    billingMode: params.billing_mode?.type ?? 'flexible',
    checkoutSession: null,
    customer,
    daysUntilDue: days,
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

const createSupports =
  'automatic_tax customer items default_payment_method description discounts metadata trial_period_days trial_end trial_settings ' +
  'payment_behavior proration_behavior billing_mode cancel_at cancel_at_period_end collection_method days_until_due off_session currency'
const updateSupports =
  'automatic_tax items default_payment_method description discounts metadata trial_end trial_settings payment_behavior proration_behavior ' +
  'proration_date billing_cycle_anchor cancel_at cancel_at_period_end cancellation_details pause_collection ' +
  'off_session'

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
  route<PauseParams>(
    'POST',
    '/v1/subscriptions/:id/pause',
    'post_subscriptions_id_pause',
    'bill_for invoicing_behavior type',
    ({ tx, params, id }) => {
      const subscription = requireSubscription(tx, id)
      return pauseSubscription(inTimeOfCustomer(tx, subscription.customer), subscription, params)
    },
  ),
  route<ResumeParams>(
    'POST',
    '/v1/subscriptions/:id/resume',
    'post_subscriptions_id_resume',
    'billing_cycle_anchor payment_behavior',
    ({ tx, params, id }) => {
      const subscription = requireSubscription(tx, id)
      return resumeSubscription(inTimeOfCustomer(tx, subscription.customer), subscription, params)
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
