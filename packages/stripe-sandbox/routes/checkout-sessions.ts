import { invalid } from '../http/errors.ts'
import { field, listRoute, requires } from '../http/find-objects.ts'
import { type PageParams, route } from '../http/route.ts'
import { expireSession } from '../objects/checkout-expire.ts'
import { buildSession, type CheckoutNotes, priceLines } from '../objects/checkout-sessions.ts'
import { requireCustomer } from '../objects/customers.ts'
import { orderOf, readDiscounts } from '../objects/discounts.ts'
import { clearedBy, mergeMetadata } from '../objects/metadata.ts'
import { requireCurrencyOf, trialEndOf } from '../objects/subscription-create.ts'
import { inTimeOf, type Tx } from '../tx.ts'
import type { CheckoutSession, Json } from '../types.ts'
import { type CheckoutParams, readExpiry, readLines, requireSupported, requireUrl } from './checkout-params.ts'

const requireSession = requires<CheckoutSession>('checkout.session')

function createSession(tx: Tx, params: CheckoutParams): CheckoutSession {
  requireSupported(params)
  const data = params.subscription_data ?? {}
  const customer = params.customer === undefined ? null : requireCustomer(tx, params.customer, 'customer')
  // The days are validated here. The trial starts on payment.
  trialEndOf(customer ? inTimeOf(tx, customer) : tx, data.trial_period_days, data.trial_end)
  const lines = readLines(tx, params)
  if (customer && params.mode === 'subscription') requireCurrencyOf(tx, customer, lines[0]?.price.currency ?? '')
  const trial = data.trial_period_days !== undefined || data.trial_end !== undefined
  const redemptions = readDiscounts(tx, params.discounts, customer?.id ?? null, orderOf(lines))
  const priced = priceLines(tx, lines, redemptions, trial, params.automatic_tax?.enabled ?? false)
  const session = buildSession(tx, {
    allowPromotionCodes: params.allow_promotion_codes ?? null,
    automaticTax: params.automatic_tax?.enabled ?? false,
    cancelUrl: params.cancel_url === undefined ? null : requireUrl(params.cancel_url, 'cancel_url'),
    clientReferenceId: params.client_reference_id ?? null,
    collection: params.payment_method_collection ?? (params.mode === 'payment' ? 'if_required' : 'always'),
    creation: customer ? null : params.mode === 'payment' ? (params.customer_creation ?? 'if_required') : 'always',
    customer,
    email: params.customer_email ?? null,
    expiresAt: readExpiry(tx, params.expires_at),
    lines: priced,
    locale: params.locale ?? null,
    metadata: mergeMetadata({}, params.metadata),
    mode: params.mode === 'payment' ? 'payment' : 'subscription',
    redemptions,
    taxIds: params.tax_id_collection ?? null,
    successUrl: requireUrl(params.success_url, 'success_url'),
  })
  const notes: CheckoutNotes = {
    billingMode: data.billing_mode?.type ?? 'flexible',
    description: clearedBy(params.payment_intent_data?.description ?? data.description, null),
    intentMetadata: mergeMetadata({}, params.payment_intent_data?.metadata),
    lines: priced,
    missingPaymentMethod: data.trial_settings?.end_behavior.missing_payment_method ?? 'create_invoice',
    subscriptionMetadata: mergeMetadata({}, data.metadata),
    trialDays: data.trial_period_days ?? null,
    trialEnd: data.trial_end ?? null,
    waiting: null,
  }
  tx.store.put(session, notes)
  return session
}

function linesPage(tx: Tx, session: CheckoutSession, params: PageParams) {
  const lines = tx.store.notes<CheckoutNotes>(session.id).lines ?? []
  const limit = params.limit ?? 10
  if (limit < 1 || limit > 100)
    throw invalid('Invalid integer: limit must be between 1 and 100.', 'limit', 'parameter_invalid_integer')
  const start = params.starting_after ? lines.findIndex((line) => line.id === params.starting_after) + 1 : 0
  const data: Json[] = lines.slice(start, start + limit)
  return {
    object: 'list',
    data,
    has_more: start + limit < lines.length,
    url: `/v1/checkout/sessions/${session.id}/line_items`,
  }
}

const supports =
  'mode ui_mode customer customer_email client_reference_id customer_creation line_items success_url cancel_url allow_promotion_codes discounts ' +
  'payment_intent_data subscription_data payment_method_collection allowed_payment_method_types automatic_tax tax_id_collection customer_update expires_at metadata locale'

export const checkoutSessionRoutes = [
  route<CheckoutParams>('POST', '/v1/checkout/sessions', 'post_checkout_sessions', supports, ({ tx, params }) =>
    createSession(tx, params),
  ),
  route('GET', '/v1/checkout/sessions/:id', 'retrieve', '', ({ tx, id }) => requireSession(tx, id)),
  listRoute('/v1/checkout/sessions', 'get_checkout_sessions', 'checkout.session', {
    filters: {
      customer: 'customer',
      payment_intent: field('payment_intent'),
      status: 'status',
      subscription: 'subscription',
    },
  }),
  route<PageParams>('GET', '/v1/checkout/sessions/:id/line_items', 'list', '', ({ tx, params, id }) =>
    linesPage(tx, requireSession(tx, id), params),
  ),
  route('POST', '/v1/checkout/sessions/:id/expire', 'post_checkout_sessions_id_expire', '', ({ tx, id }) => {
    const session = requireSession(tx, id)
    if (session.status !== 'open') {
      throw invalid(
        `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
      )
    }
    return expireSession(tx, session)
  }),
]
