import { z } from 'zod'
import type { EventReference } from './webhook-events.ts'

/**
 * Enqueued for events about a checkout or a payment without a customer, which is how gifts are paid. Handled in
 * `billing/gifts`.
 */
export const oneTimePaymentJob = {
  name: 'one-time-payment',
  payload: z.object({ objectId: z.string().nullable(), chargeId: z.string().nullable() }),
  // Afterwards, the job of gifts finds the payment.
  retryLimit: 8,
}

const types = /^(checkout\.session|charge)\./

export const isOneTimePayment = ({ type }: Pick<EventReference, 'type'>): boolean => types.test(type)
