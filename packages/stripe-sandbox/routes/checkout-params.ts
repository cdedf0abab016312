import { invalid, unsupported } from '../http/errors.ts'
import { refuseUnsupported } from '../http/route.ts'
import { requireCurrency } from '../objects/currency.ts'
import type { DiscountParam } from '../objects/discounts.ts'
import type { MetadataParam } from '../objects/metadata.ts'
import { buildPrice } from '../objects/products-and-prices.ts'
import { create, type Tx } from '../tx.ts'
import type { JsonObject, Price } from '../types.ts'
import { amountOf, productOf, requireActive } from './prices.ts'

type PriceData = {
  currency: string
  product?: string
  product_data?: { name: string; metadata?: MetadataParam }
  unit_amount?: number
  unit_amount_decimal?: string
  tax_behavior?: Price['tax_behavior']
  recurring?: JsonObject
}
type LineParam = { price?: string; price_data?: PriceData; quantity?: number }

export type CheckoutParams = {
  mode?: 'payment' | 'setup' | 'subscription'
  ui_mode?: string
  customer?: string
  customer_email?: string
  client_reference_id?: string
  customer_creation?: 'always' | 'if_required'
  line_items?: LineParam[]
  success_url?: string
  cancel_url?: string
  allow_promotion_codes?: boolean
  discounts?: DiscountParam[]
  subscription_data?: {
    metadata?: MetadataParam
    description?: string
    trial_period_days?: number
    trial_end?: number
    trial_settings?: { end_behavior: { missing_payment_method: string } }
    billing_mode?: { type: 'classic' | 'flexible' }
  }
  payment_intent_data?: { metadata?: MetadataParam; description?: string }
  payment_method_collection?: 'always' | 'if_required'
  allowed_payment_method_types?: string[]
  automatic_tax?: { enabled: boolean }
  tax_id_collection?: { enabled: boolean; required?: string }
  customer_update?: { address?: string; name?: string; shipping?: string }
  expires_at?: number
  metadata?: MetadataParam
  locale?: string
}

/** Redirect URLs. Only http and https, so that they can't contain scripts. */
export function requireUrl(address: string | undefined, param: string): string {
  if (address === undefined) throw invalid(`Missing required param: ${param}.`, param, 'parameter_missing')
  const bare = address.replaceAll('{CHECKOUT_SESSION_ID}', 'x')
  if (!URL.canParse(bare) || !/^https?:$/.test(new URL(bare).protocol) || address.length > 5000) {
    throw invalid('Not a valid URL', param, 'url_invalid')
  }
  return address
}

const subscriptionFields = new Set([
  'metadata',
  'description',
  'trial_period_days',
  'trial_end',
  'trial_settings',
  'billing_mode',
])
const lineFields = new Set(['price', 'price_data', 'quantity'])
const priceDataFields = new Set([
  ...['currency', 'product', 'product_data', 'unit_amount', 'unit_amount_decimal', 'tax_behavior'],
])
const productDataFields = new Set(['name', 'metadata'])
const intentFields = new Set(['metadata', 'description'])

/** Rejects parameters that the sandbox doesn't support. */
export function requireSupported(params: CheckoutParams): void {
  if (params.mode === undefined) throw invalid('Missing required param: mode.', 'mode', 'parameter_missing')
  if (params.mode === 'setup') throw unsupported('mode=setup')
  if (params.ui_mode !== undefined && params.ui_mode !== 'hosted_page') throw unsupported(`ui_mode=${params.ui_mode}`)
  if (params.allowed_payment_method_types && !params.allowed_payment_method_types.includes('card')) {
    throw invalid('This sandbox only takes cards.', 'allowed_payment_method_types')
  }
  refuseUnsupported(params.subscription_data, subscriptionFields, 'subscription_data')
  refuseUnsupported(params.payment_intent_data, intentFields, 'payment_intent_data')
  requireFieldsOfMode(params)
  if (params.customer !== undefined && params.customer_email !== undefined) {
    throw invalid('You may only specify one of these parameters: customer, customer_email.', 'customer_email')
  }
  if (params.customer !== undefined) requirePermissions(params)
  if (params.allow_promotion_codes && params.discounts) {
    throw invalid(
      'You may only specify one of these parameters: allow_promotion_codes, discounts.',
      'allow_promotion_codes',
    )
  }
}

/** Of a known customer, Stripe changes only what it may. The sandbox's customers have no address yet. */
function requirePermissions({ automatic_tax: tax, tax_id_collection: ids, customer_update: may }: CheckoutParams) {
  if (tax?.enabled && may?.address !== 'auto') {
    throw invalid(
      'Automatic tax calculation in Checkout requires a valid address on the Customer. Add a valid address to the Customer or set `customer_update[address]` to `auto`.',
      'automatic_tax',
      'customer_tax_location_invalid',
    )
  }
  if (ids?.enabled && may?.name !== 'auto') {
    throw invalid(
      'Tax ID collection requires updating business name on the customer. Set `customer_update[name]` to `auto`.',
    )
  }
}

/** Some parameters belong to one mode. */
function requireFieldsOfMode(params: CheckoutParams): void {
  const foreign =
    params.mode === 'payment'
      ? (['subscription_data', 'payment_method_collection'] as const)
      : (['payment_intent_data', 'customer_creation'] as const)
  const field = foreign.find((name) => params[name] !== undefined)
  if (!field) return
  if (field === 'customer_creation') {
    throw invalid('`customer_creation` can only be used in `payment` and `setup` mode.', field)
  }
  if (field === 'payment_method_collection') {
    throw invalid('`payment_method_collection` can only be used in `subscription` mode.', field)
  }
  throw invalid(`You can not pass \`${field}\` in \`${params.mode}\` mode.`, field)
}

/** Creates the price of a line without one. It is archived at once, so that it can't be used again. */
function createPrice(tx: Tx, data: PriceData, param: string): Price {
  if (data.recurring) throw unsupported(`${param}[recurring]`)
  refuseUnsupported(data, priceDataFields, param)
  refuseUnsupported(data.product_data, productDataFields, `${param}[product_data]`)
  const currency = requireCurrency(data.currency, `${param}[currency]`)
  const amount = { currency, unitAmount: amountOf(data), taxBehavior: data.tax_behavior }
  const price = { ...amount, product: productOf(tx, data), recurring: null, active: false }
  return create(tx, 'price.created', buildPrice(tx, price))
}

function priceOf(tx: Tx, line: LineParam, mode: CheckoutParams['mode'], param: string): Price {
  if (line.price !== undefined && line.price_data) {
    throw invalid('You may only specify one of these parameters: price, price_data.', `${param}[price]`)
  }
  if (line.price_data) {
    if (mode === 'subscription') throw unsupported(`${param}[price_data]`)
    return createPrice(tx, line.price_data, `${param}[price_data]`)
  }
  if (line.price === undefined)
    throw invalid(`Missing required param: ${param}[price].`, `${param}[price]`, 'parameter_missing')
  const price = requireActive(tx, line.price, `${param}[price]`)
  if (price.recurring && mode !== 'subscription') {
    throw invalid(
      'You specified `payment` mode but passed a recurring price. Either switch to `subscription` mode or use only one-time prices.',
      'mode',
    )
  }
  return price
}

/** The lines of a checkout: one-time prices, and recurring ones in subscription mode, of which there must be one. */
export function readLines(tx: Tx, { line_items: given, mode }: Pick<CheckoutParams, 'line_items' | 'mode'>) {
  if (!given || given.length === 0)
    throw invalid('Missing required param: line_items.', 'line_items', 'parameter_missing')
  if (given.length > 20) throw invalid('A checkout may have up to 20 line items.', 'line_items')
  const lines = given.map((line, index) => {
    const param = `line_items[${index}]`
    refuseUnsupported(line, lineFields, param)
    if (line.quantity === undefined)
      throw invalid(`Missing required param: ${param}[quantity].`, `${param}[quantity]`, 'parameter_missing')
    if (line.quantity < 1 || line.quantity > 999_999)
      throw invalid('Invalid integer: quantity must be positive.', `${param}[quantity]`, 'parameter_invalid_integer')
    return { price: priceOf(tx, line, mode, param), quantity: line.quantity }
  })
  if (mode === 'subscription' && !lines.some(({ price }) => price.recurring)) {
    throw invalid('You must provide at least one recurring price in `subscription` mode when using prices.', 'mode')
  }
  if (new Set(lines.map(({ price }) => price.currency)).size > 1) {
    throw invalid('All line items of a checkout must have the same currency.', 'line_items')
  }
  return lines
}

/** When an open session expires: half an hour to 24 hours from now, in seconds. */
export function readExpiry(tx: Tx, given: number | undefined): number {
  if (given === undefined) return tx.at + 24 * 3600
  // Slightly less than half an hour is allowed, since the caller read its clock earlier.
  if (given < tx.at + 30 * 60 - 60 || given > tx.at + 24 * 3600 + 60) {
    throw invalid(
      'The `expires_at` timestamp must be at least 30 minutes and less than 24 hours from Checkout Session creation.',
      'expires_at',
    )
  }
  return given
}
