import type Stripe from 'stripe'
import { z } from 'zod'
import { type BillingDeps, idOf } from '../billing-deps.ts'
import { offerEventTypes } from '../offers/refresh-offers.ts'
import { isMissing } from '../stripe/stripe-errors.ts'

/** Events that can change a customer's state or an offer. All others are acknowledged and ignored. */
export const handledEventTypes = [
  'checkout.session.completed',
  'checkout.session.expired',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'customer.subscription.trial_will_end',
  'customer.subscription.pending_update_applied',
  'customer.subscription.pending_update_expired',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.payment_action_required',
  'invoice.marked_uncollectible',
  'invoice.voided',
  'charge.refunded',
  'charge.dispute.created',
  // Stripe sends this event also when a bank's question becomes a dispute.
  'charge.dispute.funds_withdrawn',
  'charge.dispute.closed',
  'customer.updated',
  'customer.deleted',
  ...offerEventTypes,
] as const satisfies Stripe.Event.Type[]

const handledTypes: ReadonlySet<string> = new Set(handledEventTypes)
export const isHandledType = (type: string): boolean => handledTypes.has(type)

/** The fields of an event that we read. Everything else is fetched from the API. */
type EventObject = {
  id?: string
  object?: string
  customer?: string | { id: string } | null
  charge?: string | { id: string } | null
}

const objectOf = (event: Stripe.Event) => event.data.object as EventObject

/** The customer id in the event's payload, if it has one. */
export function customerIdIn(event: Stripe.Event): string | null {
  const object = objectOf(event)
  return object.object === 'customer' ? (object.id ?? null) : idOf(object.customer)
}

/** The fields of an event that processing needs. Everything else is read from Stripe. */
export const eventReference = z.object({
  id: z.string(),
  type: z.string(),
  objectId: z.string().nullable(),
  customerId: z.string().nullable(),
  /** Names the customer where the event doesn't: disputes. */
  chargeId: z.string().nullable(),
})
export type EventReference = z.output<typeof eventReference>

export const referenceOf = (event: Stripe.Event): EventReference => ({
  id: event.id,
  type: event.type,
  objectId: objectOf(event).id ?? null,
  customerId: customerIdIn(event),
  chargeId: idOf(objectOf(event).charge),
})

/** The event's customer. Disputes name only the charge, so that is fetched. */
export async function customerOf(
  deps: Pick<BillingDeps, 'stripe'>,
  { customerId, chargeId }: EventReference,
): Promise<string | null> {
  if (customerId || !chargeId) return customerId
  try {
    return idOf((await deps.stripe.charges.retrieve(chargeId)).customer)
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/**
 * Enqueued for events about a checkout or a payment without a customer, which is how gifts and what is paid once
 * are paid. Handled in `billing/purchases`.
 */
export const oneTimePaymentJob = {
  name: 'one-time-payment',
  payload: z.object({ objectId: z.string().nullable(), chargeId: z.string().nullable() }),
  // Afterwards, the jobs of gifts and purchases find the payment.
  retryLimit: 8,
}

const types = /^(checkout\.session|charge)\./

export const isOneTimePayment = ({ type }: Pick<EventReference, 'type'>): boolean => types.test(type)
