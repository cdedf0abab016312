import { invalid, unsupported } from '../http/errors.ts'
import { route } from '../http/route.ts'
import { requireCustomer } from '../objects/customers.ts'
import { orderOf, readDiscounts } from '../objects/discounts.ts'
import { clearedBy, mergeMetadata } from '../objects/metadata.ts'
import { requireCardOf } from '../objects/payment-methods.ts'
import { createSubscription, trialEndOf } from '../objects/subscription-create.ts'
import { change, inTimeOf, inTimeOfCustomer, type Tx } from '../tx.ts'
import type { Subscription } from '../types.ts'
import { type CancelParams, cancelNow } from './cancel-subscription.ts'
import { type ListParams, listSubscriptions } from './list-subscriptions.ts'
import { type PauseParams, pauseSubscription, type ResumeParams, resumeSubscription } from './pause-subscription.ts'
import { requireSubscription } from './require-subscription.ts'
import { readNewItems, type SubscriptionParams, withEnd } from './subscription-params.ts'
import { updateSubscription } from './update-subscription.ts'

function createFrom(given: Tx, params: SubscriptionParams): Subscription {
  if (params.customer === undefined) throw invalid('Missing required param: customer.', 'customer', 'parameter_missing')
  if (params.collection_method === 'send_invoice') throw unsupported('collection_method=send_invoice')
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
  'payment_behavior proration_behavior billing_mode cancel_at cancel_at_period_end collection_method off_session currency'
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
