import { discountLines } from '../billing/discount-amounts.ts'
import { addedTax, behaviorOf, taxOn } from '../billing/taxes.ts'
import { build } from '../schema/build-object.ts'
import { idText, newId } from '../store/ids.ts'
import type { Tx } from '../tx.ts'
import type { CheckoutLine, CheckoutSession, Customer, Metadata, Price } from '../types.ts'
import { productsOf, type Redemption } from './discounts.ts'
import { productName } from './subscription-billing.ts'

/** The subscription or the payment that a session creates when it is paid. */
export type CheckoutNotes = {
  lines: CheckoutLine[]
  trialDays: number | null
  trialEnd: number | null
  billingMode: 'classic' | 'flexible'
  missingPaymentMethod: string
  description: string | null
  subscriptionMetadata: Metadata
  /** A card that awaits authentication, without its number. */
  waiting: { behavior: string; last4: string; expMonth: number; expYear: number; name: string; email: string } | null
  intentMetadata: Metadata
}

/** During a trial, only one-time prices are due. */
export const hasTrial = (notes: Pick<CheckoutNotes, 'trialDays' | 'trialEnd'>): boolean =>
  notes.trialDays !== null || notes.trialEnd !== null

/** The lines with amounts in cents after discounts. */
export function priceLines(
  tx: Tx,
  lines: { price: Price; quantity: number; id?: string }[],
  redemptions: Redemption[],
  trial: boolean,
  taxed: boolean,
): CheckoutLine[] {
  const amounts = lines.map((line) => ({
    amount: trial && line.price.recurring ? 0 : line.price.unit_amount * line.quantity,
    discountable: true,
    product: line.price.product,
  }))
  const reductions = redemptions.map((each, index) => ({
    coupon: each.coupon,
    discount: String(index),
    products: productsOf(tx, each.coupon),
  }))
  const discounts = discountLines(amounts, reductions)
  return lines.map((line, index) => {
    const subtotal = amounts[index]?.amount ?? 0
    const discount = (discounts[index] ?? []).reduce((all, each) => all + each.amount, 0)
    const tax = taxed ? taxOn(subtotal - discount, behaviorOf(line.price)) : null
    return build<CheckoutLine>('item', {
      id: line.id ?? newId('li'),
      amount_discount: discount,
      amount_subtotal: subtotal,
      amount_tax: tax?.amount ?? 0,
      amount_total: subtotal - discount + (tax ? addedTax([tax]) : 0),
      currency: line.price.currency,
      description: productName(tx, line.price),
      metadata: {},
      price: line.price,
      quantity: line.quantity,
    })
  })
}

/** The session's totals, computed from its lines. */
export function totalsOf(
  lines: CheckoutLine[],
): Pick<CheckoutSession, 'amount_subtotal' | 'amount_total' | 'total_details'> {
  const sum = (field: 'amount_subtotal' | 'amount_total' | 'amount_discount' | 'amount_tax') =>
    lines.reduce((all, line) => all + line[field], 0)
  return {
    amount_subtotal: sum('amount_subtotal'),
    amount_total: sum('amount_total'),
    total_details: { amount_discount: sum('amount_discount'), amount_shipping: 0, amount_tax: sum('amount_tax') },
  }
}

export const discountsOf = (redemptions: Redemption[]): CheckoutSession['discounts'] =>
  redemptions.map((each) => ({
    coupon: each.promotionCode ? null : each.coupon.id,
    promotion_code: each.promotionCode?.id ?? null,
  }))

export type SessionInput = {
  automaticTax: boolean
  customer: Customer | null
  email: string | null
  lines: CheckoutLine[]
  redemptions: Redemption[]
  allowPromotionCodes: boolean | null
  successUrl: string
  cancelUrl: string | null
  clientReferenceId: string | null
  collection: CheckoutSession['payment_method_collection']
  creation: CheckoutSession['customer_creation']
  mode: CheckoutSession['mode']
  expiresAt: number
  metadata: Metadata
  locale: string | null
  taxIds: { enabled: boolean; required?: string } | null
}

export const customerDetails = (email: string | null, name: string | null) => ({
  address: null,
  business_name: null,
  email,
  individual_name: null,
  name,
  phone: null,
  tax_exempt: 'none',
  tax_ids: [],
})

/** Creates an open session with the URL of its page. */
export function buildSession(tx: Tx, input: SessionInput): CheckoutSession {
  const id = `cs_test_${idText(58)}`
  const email = input.customer?.email ?? input.email
  return build<CheckoutSession>('checkout.session', {
    id,
    allow_promotion_codes: input.allowPromotionCodes,
    automatic_tax: {
      enabled: input.automaticTax,
      liability: input.automaticTax ? { type: 'self' } : null,
      provider: input.automaticTax ? 'stripe' : null,
      status: input.automaticTax ? 'complete' : null,
    },
    cancel_url: input.cancelUrl,
    client_reference_id: input.clientReferenceId,
    created: tx.at,
    currency: input.lines[0]?.price.currency ?? 'usd',
    customer: input.customer?.id ?? null,
    customer_creation: input.creation,
    customer_details: email === null ? null : customerDetails(email, null),
    customer_email: input.email,
    discounts: discountsOf(input.redemptions),
    expires_at: input.expiresAt,
    locale: input.locale,
    metadata: input.metadata,
    mode: input.mode,
    payment_method_collection: input.collection,
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    phone_number_collection: { enabled: false },
    status: 'open',
    success_url: input.successUrl,
    ...(input.taxIds && {
      tax_id_collection: { enabled: input.taxIds.enabled, required: input.taxIds.required ?? 'never' },
    }),
    ...totalsOf(input.lines),
    ui_mode: 'hosted_page',
    url: `${tx.publicUrl}/c/pay/${id}`,
  })
}
