import { build } from '../schema/build-object.ts'
import { newId } from '../store/ids.ts'
import type { Tx } from '../tx.ts'
import type { ApiObject, Customer, Metadata, Period, Price, Subscription, SubscriptionItem } from '../types.ts'

/** The legacy plan object, which the API still shows on subscription items. */
const planOf = (price: Price) =>
  build<ApiObject>('plan', {
    id: price.id,
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: String(price.unit_amount),
    billing_scheme: 'per_unit',
    created: price.created ?? 0,
    currency: price.currency,
    interval: price.recurring?.interval ?? 'month',
    interval_count: price.recurring?.interval_count ?? 1,
    metadata: price.metadata,
    nickname: price.nickname,
    product: price.product,
    usage_type: 'licensed',
  })

export const withPrice = (item: SubscriptionItem, price: Price): SubscriptionItem => ({
  ...item,
  plan: planOf(price),
  price,
})

/** An item of a subscription, billed for `period`. */
export function buildItem(
  tx: Tx,
  subscription: string,
  price: Price,
  quantity: number,
  period: Period,
  metadata: Metadata,
): SubscriptionItem {
  return build<SubscriptionItem>('subscription_item', {
    id: newId('si'),
    created: tx.at,
    current_period_end: period.end,
    current_period_start: period.start,
    metadata,
    plan: planOf(price),
    price,
    quantity,
    subscription,
    tax_rates: [],
  })
}

export type SubscriptionShape = {
  customer: Customer
  currency: string
  anchor: number
  trialEnd: number | null
  defaultPaymentMethod: string | null
  description: string | null
  metadata: Metadata
  billingMode: 'classic' | 'flexible'
  missingPaymentMethod: string
  automaticTax: boolean
  /** Days to pay invoices that are sent; null if the card is charged. */
  daysUntilDue: number | null
}

export const automaticTax = (enabled: boolean): Subscription['automatic_tax'] => ({
  disabled_reason: null,
  enabled,
  liability: enabled ? { type: 'self' } : null,
})

/** A new subscription: `incomplete`, without items and invoice. */
export function buildSubscription(tx: Tx, shape: SubscriptionShape): Subscription {
  const id = newId('sub')
  const flexible = shape.billingMode === 'flexible'
  return build<Subscription>('subscription', {
    id,
    automatic_tax: automaticTax(shape.automaticTax),
    billing_cycle_anchor: shape.anchor,
    billing_mode: flexible
      ? { flexible: { proration_discounts: 'included' }, type: 'flexible' }
      : { flexible: null, type: 'classic' },
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: shape.daysUntilDue === null ? 'charge_automatically' : 'send_invoice',
    created: tx.at,
    currency: shape.currency,
    customer: shape.customer.id,
    days_until_due: shape.daysUntilDue,
    default_payment_method: shape.defaultPaymentMethod,
    default_tax_rates: [],
    description: shape.description,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: {
      object: 'list',
      data: [],
      has_more: false,
      total_count: 0,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    metadata: shape.metadata,
    payment_settings: { payment_method_options: null, payment_method_types: null, save_default_payment_method: 'off' },
    start_date: tx.at,
    status: 'incomplete',
    test_clock: shape.customer.test_clock,
    trial_end: shape.trialEnd,
    trial_settings: {
      end_behavior: { billing_cycle_anchor: null, missing_payment_method: shape.missingPaymentMethod },
    },
    trial_start: shape.trialEnd === null ? null : tx.at,
  })
}

export const withItems = (subscription: Subscription, items: SubscriptionItem[]): Subscription => ({
  ...subscription,
  items: { ...subscription.items, data: items, total_count: items.length },
})
