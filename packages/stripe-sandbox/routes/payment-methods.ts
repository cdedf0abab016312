import { cardByToken } from '../billing/cards.ts'
import { missing } from '../http/errors.ts'
import { route } from '../http/route.ts'
import { requireCustomer } from '../objects/customers.ts'
import { attachCard, createCard } from '../objects/payment-methods.ts'
import { inTimeOf, type Tx } from '../tx.ts'
import type { PaymentMethod } from '../types.ts'

/** Predefined cards such as `pm_card_visa` expire some years from now. */
const expiry = (tx: Tx) => ({ expMonth: 12, expYear: new Date(tx.wallMs).getUTCFullYear() + 5 })

/** A payment method by id. A test id such as `pm_card_visa` creates a new card. */
export function usableCard(tx: Tx, id: string, param: string): PaymentMethod {
  const ready = cardByToken(id)
  if (ready) return createCard(tx, { card: ready, ...expiry(tx) })
  const method = tx.store.find<PaymentMethod>('payment_method', id)
  if (!method) throw missing('PaymentMethod', id, param)
  return method
}

export const paymentMethodRoutes = [
  route<{ customer: string }>(
    'POST',
    '/v1/payment_methods/:id/attach',
    'post_payment_methods_id_attach',
    'customer',
    ({ tx, params, id }) => {
      const customer = requireCustomer(tx, params.customer, 'customer')
      const at = inTimeOf(tx, customer)
      return attachCard(at, usableCard(at, id, 'id'), customer)
    },
  ),
]
