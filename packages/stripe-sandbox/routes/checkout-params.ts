import { invalid, unsupported } from '../http/errors.ts'
import { refuseUnsupported } from '../http/route.ts'
import type { DiscountParam } from '../objects/discounts.ts'
import type { MetadataParam } from '../objects/metadata.ts'
import type { Tx } from '../tx.ts'
import { requireSellable } from './prices.ts'

export type CheckoutParams = {
  mode?: 'payment' | 'setup' | 'subscription'
  ui_mode?: string
  customer?: string
  customer_email?: string
  client_reference_id?: string
  line_items?: { price?: string; quantity?: number }[]
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
  payment_method_collection?: 'always' | 'if_required'
  allowed_payment_method_types?: string[]
  automatic_tax?: { enabled: boolean }
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
const lineFields = new Set(['price', 'quantity'])

/** Rejects parameters that the sandbox doesn't support. */
export function requireSupported(params: CheckoutParams): void {
  if (params.mode === undefined) throw invalid('Missing required param: mode.', 'mode', 'parameter_missing')
  if (params.mode !== 'subscription') throw unsupported(`mode=${params.mode}`)
  if (params.ui_mode !== undefined && params.ui_mode !== 'hosted_page') throw unsupported(`ui_mode=${params.ui_mode}`)
  if (params.automatic_tax?.enabled) throw unsupported('automatic_tax[enabled]=true')
  if (params.allowed_payment_method_types && !params.allowed_payment_method_types.includes('card')) {
    throw invalid('This sandbox only takes cards.', 'allowed_payment_method_types')
  }
  refuseUnsupported(params.subscription_data, subscriptionFields, 'subscription_data')
  if (params.customer !== undefined && params.customer_email !== undefined) {
    throw invalid('You may only specify one of these parameters: customer, customer_email.', 'customer_email')
  }
  if (params.allow_promotion_codes && params.discounts) {
    throw invalid(
      'You may only specify one of these parameters: allow_promotion_codes, discounts.',
      'allow_promotion_codes',
    )
  }
}

/** The lines of a checkout: active recurring prices. */
export function readLines(tx: Tx, given: CheckoutParams['line_items']) {
  if (!given || given.length === 0)
    throw invalid('Missing required param: line_items.', 'line_items', 'parameter_missing')
  if (given.length > 20) throw invalid('A checkout may have up to 20 line items.', 'line_items')
  return given.map((line, index) => {
    const param = `line_items[${index}]`
    refuseUnsupported(line, lineFields, param)
    if (line.price === undefined)
      throw invalid(`Missing required param: ${param}[price].`, `${param}[price]`, 'parameter_missing')
    if (line.quantity === undefined)
      throw invalid(`Missing required param: ${param}[quantity].`, `${param}[quantity]`, 'parameter_missing')
    if (line.quantity < 1 || line.quantity > 999_999)
      throw invalid('Invalid integer: quantity must be positive.', `${param}[quantity]`, 'parameter_invalid_integer')
    return { price: requireSellable(tx, line.price, `${param}[price]`), quantity: line.quantity }
  })
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
