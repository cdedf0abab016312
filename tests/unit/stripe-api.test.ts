import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { takesMoneyBack } from '#server/features/billing/subscriptions/stripe/dispute-status.ts'
import { isLive } from '#server/features/billing/subscriptions/sync/choose-subscription.ts'
import { describeType, readSdkTypes, type SdkTypes } from '#tests/support/stripe-types.ts'
import { extraParams } from '../../packages/stripe-sandbox/schema/extra-params.ts'

/**
 * The sandbox's description of Stripe's API against the types of the SDK that the product uses, field by field. After an
 * update of the SDK, `STRIPE_API=renew npm run test:unit -- stripe-api` writes what is new into the description.
 */
const file = new URL('../../packages/stripe-sandbox/schema/stripe-api.json', import.meta.url)

type Schema = {
  $ref?: string
  type?: string | string[]
  properties?: { [name: string]: Schema }
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  enum?: (string | null)[]
  const?: unknown
}
const description = JSON.parse(readFileSync(file, 'utf8')) as { 'x-api-version': string; $defs: Record<string, Schema> }
const defs: Record<string, Schema> = { ...description.$defs, ...(extraParams as Record<string, Schema>) }

const resolve = (schema: Schema): Schema =>
  schema.$ref ? resolve(defs[schema.$ref.replace('#/$defs/', '')] ?? {}) : schema

/** All alternatives of a schema, without references. */
const options = (schema: Schema): Schema[] => {
  const found = resolve(schema)
  return found.anyOf ? found.anyOf.flatMap(options) : [found]
}
const mayBeNull = (schema: Schema) =>
  options(schema).some(({ type, enum: texts }) => [type].flat().includes('null') || texts?.includes(null))
const textsOf = (schema: Schema) => {
  const found = options(schema).filter((one) => one.type !== 'null' && one.const !== '')
  const texts = found.flatMap((one) => one.enum ?? (typeof one.const === 'string' ? [one.const] : []))
  const areTexts = found.length > 0 && found.every((one) => one.enum ?? typeof one.const === 'string')
  return areTexts ? texts.filter((text) => text !== null).sort() : null
}
/** The object that the schema is, or that its items are. Null for none, and for objects of other kinds. */
const objectOf = (schema: Schema): Schema | null => {
  const found = options(schema).flatMap((one) => (one.items ? options(one.items) : [one]))
  const objects = found.filter((one) => one.properties)
  return objects.length === 1 ? (objects[0] ?? null) : null
}

type Difference = { text: string; renew?: () => void }
type Comparison = { types: SdkTypes; kind: 'object' | 'params' | 'part of params' }

/** Compares a schema with an interface, and the objects inside both. */
function compare({ types, kind }: Comparison, given: Schema, name: string, seen = new Set<string>()): Difference[] {
  const members = types.interfaces.get(name)
  if (!members) return [{ text: `${name} isn’t in the SDK` }]
  if (seen.has(name)) return []
  seen.add(name)
  const { properties = {}, required = [] } = given
  const found: Difference[] = []
  for (const field of Object.keys(properties)) {
    if (!members.has(field))
      found.push({ text: `${name}.${field} isn’t in the SDK`, renew: () => delete properties[field] })
  }
  for (const [field, { type, isOptional }] of members) {
    // A deleted object is described apart.
    if (type === 'void') continue
    const schema = properties[field]
    const sdk = describeType(types, type, name)
    const where = `${name}.${field}`
    if (!schema) {
      if (kind === 'part of params') continue
      const fresh: Schema = sdk.texts ? { type: 'string', enum: sdk.texts } : {}
      found.push({ text: `${where} is new`, renew: () => Object.assign(properties, { [field]: fresh }) })
      continue
    }
    const isRequired = required.includes(field)
    if (isRequired === isOptional && !(kind === 'part of params' && isOptional)) {
      const renewed = isOptional ? required.filter((one) => one !== field) : [...required, field].sort()
      found.push({
        text: `${where} is ${isOptional ? 'optional' : 'required'} in the SDK`,
        renew: () => Object.assign(given, { required: renewed }),
      })
    }
    const anything = Object.keys(resolve(schema)).length === 0
    if (kind === 'object' && !anything && mayBeNull(schema) !== sdk.mayBeNull) {
      found.push({ text: `${where} ${sdk.mayBeNull ? 'may' : 'may not'} be null in the SDK` })
    }
    const texts = textsOf(schema)
    const isSame = JSON.stringify(texts) === JSON.stringify(sdk.texts)
    const isPart = kind === 'part of params' && texts?.every((text) => sdk.texts?.includes(text))
    if (texts && sdk.texts && !isSame && !isPart) {
      const [holder] = options(schema).filter((one) => one.enum)
      found.push({
        text: `${where} is ${sdk.texts.join(', ')} in the SDK, and ${texts.join(', ')} here`,
        renew: () =>
          holder && Object.assign(holder, { enum: [...(sdk.texts ?? []), ...(mayBeNull(schema) ? [null] : [])] }),
      })
    }
    const inner = objectOf(schema)
    if (inner && sdk.ref && types.interfaces.has(sdk.ref)) {
      found.push(...compare({ types, kind }, inner, sdk.ref, seen))
    }
  }
  return found
}

const objects: [def: string, module: string, name: string][] = [
  ['subscription', 'Subscriptions', 'Subscription'],
  ['subscription_item', 'SubscriptionItems', 'SubscriptionItem'],
  ['invoice', 'Invoices', 'Invoice'],
  ['line_item', 'InvoiceLineItems', 'InvoiceLineItem'],
  ['invoice_payment', 'InvoicePayments', 'InvoicePayment'],
  ['item', 'LineItems', 'LineItem'],
  ['customer', 'Customers', 'Customer'],
  ['customer_balance_transaction', 'CustomerBalanceTransactions', 'CustomerBalanceTransaction'],
  ['tax_id', 'TaxIds', 'TaxId'],
  ['price', 'Prices', 'Price'],
  ['product', 'Products', 'Product'],
  ['coupon', 'Coupons', 'Coupon'],
  ['discount', 'Discounts', 'Discount'],
  ['promotion_code', 'PromotionCodes', 'PromotionCode'],
  ['charge', 'Charges', 'Charge'],
  ['refund', 'Refunds', 'Refund'],
  ['dispute', 'Disputes', 'Dispute'],
  ['payment_intent', 'PaymentIntents', 'PaymentIntent'],
  ['setup_intent', 'SetupIntents', 'SetupIntent'],
  ['webhook_endpoint', 'WebhookEndpoints', 'WebhookEndpoint'],
  ['checkout.session', 'Checkout/Sessions', 'Session'],
  ['billing_portal.session', 'BillingPortal/Sessions', 'Session'],
  ['billing_portal.configuration', 'BillingPortal/Configurations', 'Configuration'],
  ['test_helpers.test_clock', 'TestHelpers/TestClocks', 'TestClock'],
]

const params: [def: string, module: string, name: string][] = [
  ['post_subscriptions', 'Subscriptions', 'SubscriptionCreateParams'],
  ['post_subscriptions_id', 'Subscriptions', 'SubscriptionUpdateParams'],
  ['get_subscriptions', 'Subscriptions', 'SubscriptionListParams'],
  ['delete_subscriptions_id', 'Subscriptions', 'SubscriptionCancelParams'],
  ['post_subscription_items_id', 'SubscriptionItems', 'SubscriptionItemUpdateParams'],
  ['post_checkout_sessions', 'Checkout/Sessions', 'Checkout.SessionCreateParams'],
  ['get_checkout_sessions', 'Checkout/Sessions', 'Checkout.SessionListParams'],
  ['post_billing_portal_sessions', 'BillingPortal/Sessions', 'BillingPortal.SessionCreateParams'],
  ['post_billing_portal_configurations', 'BillingPortal/Configurations', 'BillingPortal.ConfigurationCreateParams'],
  ['post_billing_portal_configurations_id', 'BillingPortal/Configurations', 'BillingPortal.ConfigurationUpdateParams'],
  ['post_customers', 'Customers', 'CustomerCreateParams'],
  ['post_customers_id', 'Customers', 'CustomerUpdateParams'],
  ['post_customers_id_tax_ids', 'Customers', 'CustomerCreateTaxIdParams'],
  ['post_prices', 'Prices', 'PriceCreateParams'],
  ['post_prices_id', 'Prices', 'PriceUpdateParams'],
  ['post_products', 'Products', 'ProductCreateParams'],
  ['post_products_id', 'Products', 'ProductUpdateParams'],
  ['post_coupons', 'Coupons', 'CouponCreateParams'],
  ['post_promotion_codes', 'PromotionCodes', 'PromotionCodeCreateParams'],
  ['post_promotion_codes_id', 'PromotionCodes', 'PromotionCodeUpdateParams'],
  ['get_invoices', 'Invoices', 'InvoiceListParams'],
  ['post_invoices_id_pay', 'Invoices', 'InvoicePayParams'],
  ['post_invoices_create_preview', 'Invoices', 'InvoiceCreatePreviewParams'],
  ['post_refunds', 'Refunds', 'RefundCreateParams'],
  ['post_webhook_endpoints', 'WebhookEndpoints', 'WebhookEndpointCreateParams'],
  ['post_webhook_endpoints_id', 'WebhookEndpoints', 'WebhookEndpointUpdateParams'],
]

/** Described in the sandbox by hand, as far as it supports them. */
const partsOfParams: [def: string, module: string, name: string][] = [
  ['post_subscriptions_id_pause', 'Subscriptions', 'SubscriptionPauseParams'],
  ['post_subscriptions_id_resume', 'Subscriptions', 'SubscriptionResumeParams'],
  ['post_coupons_id', 'Coupons', 'CouponUpdateParams'],
  ['get_refunds', 'Refunds', 'RefundListParams'],
  ['get_charges', 'Charges', 'ChargeListParams'],
  ['get_payment_intents', 'PaymentIntents', 'PaymentIntentListParams'],
  ['get_disputes', 'Disputes', 'DisputeListParams'],
  ['post_disputes_id', 'Disputes', 'DisputeUpdateParams'],
  ['post_invoices_id_finalize', 'Invoices', 'InvoiceFinalizeInvoiceParams'],
]

/** `PaginationParams` has these. */
const listParams = new Set(['limit', 'starting_after', 'ending_before', 'page'])

const ofLists = ({ properties = {}, ...rest }: Schema): Schema => ({
  ...rest,
  properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !listParams.has(name))),
})

const cases = [
  ...objects.map(([def, module, name]) => ({ def, module, name, kind: 'object' as const })),
  ...params.map(([def, module, name]) => ({ def: `params.${def}`, module, name, kind: 'params' as const })),
  ...partsOfParams.map(([def, module, name]) => ({
    def: `params.${def}`,
    module,
    name,
    kind: 'part of params' as const,
  })),
]

/** Stripe leaves the legacy plan out for new prices, whatever the types say. */
const known = new Set(['SubscriptionItem.plan is required in the SDK'])

test.each(cases)('$def has the fields of $name in the SDK', ({ def, module, name, kind }) => {
  const schema = resolve({ $ref: `#/$defs/${def}` })
  const isList = def.startsWith('params.get_')
  const found = compare({ types: readSdkTypes(module), kind }, isList ? ofLists(schema) : schema, name)
  if (process.env.STRIPE_API === 'renew') {
    for (const { renew } of found) renew?.()
    writeFileSync(file, `${JSON.stringify(description)}\n`)
  }
  expect(found.map(({ text }) => text).filter((text) => !known.has(text))).toEqual([])
})

const statusesOf = (module: string, type: string) => {
  const types = readSdkTypes(module)
  return describeType(types, types.unions.get(type) ?? '', type).texts
}

test('every status of a subscription is decided: whether it counts as a plan that runs', () => {
  const decided = {
    ...{ active: true, trialing: true, past_due: true },
    ...{ canceled: false, incomplete: false, incomplete_expired: false, paused: false, unpaid: false },
  }
  expect(statusesOf('Subscriptions', 'Subscription.Status')).toEqual(Object.keys(decided).sort())
  for (const [status, runs] of Object.entries(decided))
    expect([status, isLive({ status: status as 'active' })]).toEqual([status, runs])
})

test('every status of a dispute is decided: whether the bank has the money', () => {
  const decided = {
    ...{ needs_response: true, under_review: true, lost: true, appeal_needs_response: true, appeal_under_review: true },
    ...{
      won: false,
      prevented: false,
      warning_closed: false,
      warning_needs_response: false,
      warning_under_review: false,
    },
  }
  expect(statusesOf('Disputes', 'Dispute.Status')).toEqual(Object.keys(decided).sort())
  for (const [status, takes] of Object.entries(decided))
    expect([status, takesMoneyBack(status)]).toEqual([status, takes])
})
