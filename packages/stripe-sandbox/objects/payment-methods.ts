import { type CardBehavior, type Decline, declineOnSave, type TestCard } from '../billing/cards.ts'
import { ApiError, missing } from '../http/errors.ts'
import { build } from '../schema/build-object.ts'
import { newId } from '../store/ids.ts'
import { create, type Tx } from '../tx.ts'
import type { Customer, JsonObject, Metadata, PaymentMethod } from '../types.ts'

export type PaymentMethodNotes = {
  behavior: CardBehavior
  /** The payer has authenticated once, which is enough for some cards. */
  authenticated: boolean
}

export type NewCard = {
  card: TestCard
  expMonth: number
  expYear: number
  name?: string | null
  email?: string | null
  authenticated?: boolean
  metadata?: Metadata
}

/** A card as in the API. Only brand and last four digits of the number are stored. */
function cardDetails({ card, expMonth, expYear }: NewCard): PaymentMethod['card'] {
  return {
    brand: card.brand,
    checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
    country: 'US',
    display_brand: card.brand,
    exp_month: expMonth,
    exp_year: expYear,
    fingerprint: `sandbox${card.number.slice(-4)}`,
    funding: 'credit',
    generated_from: null,
    last4: card.number.slice(-4),
    networks: { available: [card.brand], preferred: null },
    regulated_status: 'unregulated',
    three_d_secure_usage: { supported: true },
    wallet: null,
  }
}

/** Creates a payment method without a customer. */
export function createCard(tx: Tx, input: NewCard): PaymentMethod {
  const method = build<PaymentMethod>('payment_method', {
    id: newId('pm'),
    allow_redisplay: 'unspecified',
    billing_details: {
      address: { city: null, country: null, line1: null, line2: null, postal_code: null, state: null },
      email: input.email ?? null,
      name: input.name ?? null,
      phone: null,
      tax_id: null,
    },
    card: cardDetails(input),
    created: tx.at,
    metadata: input.metadata ?? {},
    type: 'card',
  })
  const notes: PaymentMethodNotes = { behavior: input.card.behavior, authenticated: input.authenticated ?? false }
  tx.store.put(method, notes)
  return method
}

export const methodNotes = (tx: Tx, id: string): PaymentMethodNotes => ({
  behavior: 'succeeds',
  authenticated: false,
  ...tx.store.notes<PaymentMethodNotes>(id),
})

export const cardError = (decline: Decline, more: JsonObject = {}, keepChanges = false): ApiError =>
  new ApiError(
    402,
    'card_error',
    decline.message,
    { code: decline.code, decline_code: decline.decline_code, ...more },
    keepChanges,
  )

/**
 * Attaches a card to a customer.
 * @throws ApiError 402 if the bank declines to save the card, 400 if it belongs to another customer
 */
export function attachCard(tx: Tx, method: PaymentMethod, customer: Customer): PaymentMethod {
  if (method.customer === customer.id) return method
  if (method.customer !== null) {
    throw new ApiError(
      400,
      'invalid_request_error',
      'The payment method you provided has already been attached to a customer.',
      {
        code: 'payment_method_already_attached',
      },
    )
  }
  const decline = declineOnSave(methodNotes(tx, method.id).behavior)
  if (decline) throw cardError(decline)
  return create(tx, 'payment_method.attached', { ...method, customer: customer.id }, tx.store.notes(method.id))
}

/** @throws ApiError 400 `resource_missing` if the customer has no such card */
export function requireCardOf(tx: Tx, customer: string, id: string, param: string): PaymentMethod {
  const method = tx.store.find<PaymentMethod>('payment_method', id)
  if (method?.customer === customer) return method
  if (!method) throw missing('PaymentMethod', id, param)
  throw new ApiError(
    400,
    'invalid_request_error',
    `The customer does not have a payment method with the ID ${id}. The payment method must be attached to the customer.`,
    { code: 'resource_missing', param },
  )
}
