import { cardByToken } from '../billing/cards.ts'
import { invalid, missing } from '../http/errors.ts'
import { listRoute, requires } from '../http/find-objects.ts'
import { route } from '../http/route.ts'
import { requireCustomer } from '../objects/customers.ts'
import { type MetadataParam, mergeMetadata } from '../objects/metadata.ts'
import { attachCard, createCard } from '../objects/payment-methods.ts'
import { change, emit, inTimeOf, type Tx } from '../tx.ts'
import type { Customer, PaymentMethod, Subscription } from '../types.ts'

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

type CreateMethod = {
  type: 'card'
  card: { token?: string; number?: string }
  billing_details?: { name?: string; email?: string }
  metadata?: MetadataParam
}

function createMethod(tx: Tx, params: CreateMethod): PaymentMethod {
  if (params.card.number !== undefined) {
    throw invalid(
      'Sending card numbers to the API is unsafe and not possible here. Use card[token]=tok_visa or another ready-made test card.',
      'card[number]',
    )
  }
  const card = cardByToken(params.card.token ?? '')
  if (!card) throw missing('token', params.card.token ?? '', 'card[token]')
  const { name, email } = params.billing_details ?? {}
  return createCard(tx, { card, email, metadata: mergeMetadata({}, params.metadata), name, ...expiry(tx) })
}

/** Removes a detached card wherever it is the default. */
function detach(tx: Tx, method: PaymentMethod): PaymentMethod {
  const customer = tx.store.find<Customer>('customer', method.customer ?? '')
  if (!customer)
    throw invalid('The payment method you provided is not attached to a customer so detachment is impossible.')
  if (customer.invoice_settings.default_payment_method === method.id) {
    change(tx, 'customer.updated', customer, {
      ...customer,
      invoice_settings: { ...customer.invoice_settings, default_payment_method: null },
    })
  }
  for (const subscription of tx.store.select<Subscription>('subscription', 'customer = ?', customer.id)) {
    if (subscription.default_payment_method !== method.id) continue
    change(tx, 'customer.subscription.updated', subscription, { ...subscription, default_payment_method: null })
  }
  const detached: PaymentMethod = { ...method, customer: null }
  tx.store.put(detached)
  emit(tx, 'payment_method.detached', detached, { customer: customer.id })
  return detached
}

const requireMethod = requires<PaymentMethod>('payment_method', 'PaymentMethod')

export const paymentMethodRoutes = [
  route<CreateMethod>(
    'POST',
    '/v1/payment_methods',
    'post_payment_methods',
    'type card billing_details metadata',
    ({ tx, params }) => createMethod(tx, params),
  ),
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
  route('POST', '/v1/payment_methods/:id/detach', 'retrieve', '', ({ tx, id }) => detach(tx, requireMethod(tx, id))),
  route('GET', '/v1/payment_methods/:id', 'retrieve', '', ({ tx, id }) => requireMethod(tx, id)),
  listRoute<{ customer?: string }>('/v1/payment_methods', 'get_payment_methods', 'payment_method', {
    filters: { customer: 'customer' },
    ignored: 'type',
    where: ({ customer }, tx) => {
      if (customer === undefined) return ['customer is not null']
      requireCustomer(tx, customer, 'customer')
      return []
    },
  }),
]
