import { taxPercent } from '../billing/taxes.ts'
import { invalid, missing } from '../http/errors.ts'
import { requires } from '../http/find-objects.ts'
import { list, type PageParams, type Route, route } from '../http/route.ts'
import { requireCurrency } from '../objects/currency.ts'
import { addToBalance } from '../objects/customer-balance.ts'
import { requireCustomer } from '../objects/customers.ts'
import { clearedBy, type MetadataParam, mergeMetadata } from '../objects/metadata.ts'
import { attachToClock, createClock, deleteClock, startAdvancing } from '../objects/test-clocks.ts'
import { knownEventTypes } from '../schema/read-params.ts'
import { change, inTimeOf, type Tx } from '../tx.ts'
import type { JsonObject, TestClock } from '../types.ts'
import { checkoutSessionRoutes } from './checkout-sessions.ts'
import { couponRoutes } from './coupons.ts'
import { customerRoutes } from './customers.ts'
import { invoicePreviewRoutes } from './invoice-preview.ts'
import { invoiceRoutes } from './invoices.ts'
import { paymentMethodRoutes } from './payment-methods.ts'
import { paymentRoutes } from './payments.ts'
import { portalConfigurationRoutes } from './portal-configurations.ts'
import { portalSessionRoutes } from './portal-sessions.ts'
import { priceRoutes } from './prices.ts'
import { productRoutes } from './products.ts'
import { promotionCodeRoutes } from './promotion-codes.ts'
import { subscriptionRoutes } from './subscriptions.ts'
import { taxIdRoutes } from './tax-ids.ts'
import { webhookEndpointRoutes } from './webhook-endpoints.ts'

/** An event with its number of pending deliveries. */
function presentEvent(tx: Tx, event: JsonObject): JsonObject {
  const row = tx.store.row(
    `select count(*) as open from deliveries where event = ? and state = 'pending'`,
    String(event.id),
  )
  return { ...event, pending_webhooks: Number(row?.open ?? 0) }
}

type EventParams = PageParams & { type?: string; types?: string[]; delivery_success?: boolean }

function typesOf(params: EventParams): string[] {
  if (params.type !== undefined && params.types)
    throw invalid('You may only specify one of these parameters: type, types.', 'types')
  if (params.types && params.types.length > 20) throw invalid('You may pass at most 20 types.', 'types')
  return params.types ?? (params.type === undefined ? [] : [params.type])
}

function typeConditions(types: string[]): { where: string[]; values: string[] } {
  if (types.length === 0) return { where: [], values: [] }
  const unknown = types.find((type) => !type.endsWith('*') && !knownEventTypes.has(type))
  if (unknown !== undefined) throw invalid(`Invalid event type: ${unknown.slice(0, 80)}`, 'type')
  const conditions = types.map((type) => (type.endsWith('*') ? 'type glob ?' : 'type = ?'))
  return { where: [`(${conditions.join(' or ')})`], values: types }
}

const eventRoutes = [
  route('GET', '/v1/events/:id', 'retrieve', '', ({ tx, id }) => {
    const row = tx.store.row('select json from events where id = ?', id)
    if (!row) throw missing('event', id)
    return presentEvent(tx, JSON.parse(String(row.json)) as JsonObject)
  }),
  route<EventParams>('GET', '/v1/events', 'get_events', 'type types created delivery_success', ({ tx, params }) => {
    const { where, values } = typeConditions(typesOf(params))
    if (params.delivery_success !== undefined) {
      const open = `exists (select 1 from deliveries where event = events.id and state <> 'delivered')`
      where.push(params.delivery_success ? `not ${open}` : open)
    }
    return list(tx, {
      params,
      present: (json) => presentEvent(tx, json),
      type: 'event',
      url: '/v1/events',
      values,
      where,
    })
  }),
]

const requireClock = requires<TestClock>('test_helpers.test_clock', 'test clock')

const base = '/v1/test_helpers/test_clocks'

const testClockRoutes = [
  route<{ frozen_time: number; name?: string; customer?: string }>(
    'POST',
    base,
    'post_test_helpers_test_clocks',
    'frozen_time name customer',
    ({ tx, params }) => {
      const clock = createClock(tx, params.frozen_time, clearedBy(params.name, null))
      if (params.customer !== undefined) attachToClock(tx, requireCustomer(tx, params.customer, 'customer'), clock)
      return clock
    },
  ),
  route('GET', `${base}/:id`, 'retrieve', '', ({ tx, id }) => requireClock(tx, id)),
  route<{ frozen_time: number }>(
    'POST',
    `${base}/:id/advance`,
    'post_test_helpers_test_clocks_id_advance',
    'frozen_time',
    ({ tx, params, id }) => startAdvancing(tx, requireClock(tx, id), params.frozen_time),
  ),
  route('DELETE', `${base}/:id`, 'none', '', ({ tx, id }) => {
    deleteClock(tx, requireClock(tx, id))
    return { id, object: 'test_helpers.test_clock', deleted: true }
  }),
]

/** The rate of the sandbox's only tax. Prices say whether it is included. */
const taxRateRoutes = [
  route('GET', '/v1/tax/settings', 'retrieve', '', () => ({
    object: 'tax.settings',
    defaults: { provider: 'stripe', tax_behavior: null, tax_code: null },
    head_office: null,
    livemode: false,
    status: 'active',
    status_details: { active: {} },
  })),
  route('GET', '/v1/tax_rates/:id', 'retrieve', '', ({ tx, id }) => {
    if (id !== 'txr_sandbox') throw missing('tax rate', id)
    return {
      id,
      object: 'tax_rate',
      active: false,
      country: 'US',
      created: tx.at,
      description: null,
      display_name: 'Sandbox tax',
      effective_percentage: taxPercent,
      flat_amount: null,
      inclusive: false,
      jurisdiction: null,
      jurisdiction_level: null,
      livemode: false,
      metadata: {},
      percentage: taxPercent,
      rate_type: 'percentage',
      state: null,
      tax_type: 'vat',
    }
  }),
]

const path = '/v1/customers/:id/balance_transactions'

type BalanceParams = { amount: number; currency: string; description?: string; metadata?: MetadataParam }

const customerBalanceRoutes = [
  route<BalanceParams>(
    'POST',
    path,
    'post_customers_id_balance_transactions',
    'amount currency description metadata',
    ({ tx, params, id }) => {
      const customer = requireCustomer(tx, id)
      const currency = requireCurrency(params.currency, 'currency')
      if (params.amount === 0) throw invalid('Amount must be non-zero.', 'amount')
      if (typeof customer.currency === 'string' && customer.currency !== currency) {
        throw invalid(
          `You cannot combine currencies on a single customer. This customer uses ${customer.currency}.`,
          'currency',
        )
      }
      const at = inTimeOf(tx, customer)
      return addToBalance(at, change(at, 'customer.updated', customer, { ...customer, currency }), {
        amount: params.amount,
        currency,
        type: 'adjustment',
        description: params.description ?? null,
        metadata: mergeMetadata({}, params.metadata),
      })
    },
  ),
  route<PageParams>('GET', path, 'list', '', ({ tx, params, id }) => {
    requireCustomer(tx, id)
    return list(tx, {
      params,
      type: 'customer_balance_transaction',
      url: path.replace(':id', id),
      values: [id],
      where: ['customer = ?'],
    })
  }),
]

/** All operations of the API. The first matching path wins. */
export const routes: readonly Route[] = [
  ...productRoutes,
  ...priceRoutes,
  ...customerRoutes,
  ...customerBalanceRoutes,
  ...taxIdRoutes,
  ...paymentMethodRoutes,
  ...checkoutSessionRoutes,
  ...subscriptionRoutes,
  ...invoicePreviewRoutes,
  ...invoiceRoutes,
  ...paymentRoutes,
  ...couponRoutes,
  ...promotionCodeRoutes,
  ...portalConfigurationRoutes,
  ...portalSessionRoutes,
  ...eventRoutes,
  ...webhookEndpointRoutes,
  ...taxRateRoutes,
  ...testClockRoutes,
]
