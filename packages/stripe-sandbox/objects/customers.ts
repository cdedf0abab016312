import { requires } from '../http/find-objects.ts'
import { build } from '../schema/build-object.ts'
import { idText, newId } from '../store/ids.ts'
import { create, emit, inTimeOf, type Tx } from '../tx.ts'
import type { Customer, Metadata, Subscription } from '../types.ts'
import { ended, endSubscription } from './subscription-status.ts'

export type CustomerInput = {
  email: string | null
  name: string | null
  phone?: string | null
  description?: string | null
  metadata: Metadata
  testClock: string | null
  balance?: number
}

/** Creates a customer; `balance` in cents, negative for a credit. */
export function createCustomer(tx: Tx, input: CustomerInput): Customer {
  const customer = build<Customer>('customer', {
    id: newId('cus'),
    address: null,
    balance: input.balance ?? 0,
    created: tx.at,
    currency: null,
    customer_account: null,
    delinquent: false,
    description: input.description ?? null,
    email: input.email,
    invoice_prefix: idText(8).toUpperCase(),
    metadata: input.metadata,
    name: input.name,
    next_invoice_sequence: 1,
    phone: input.phone ?? null,
    preferred_locales: [],
    tax_exempt: 'none',
    test_clock: input.testClock,
  })
  return create(tx, 'customer.created', customer)
}

/** @throws ApiError also for a deleted customer */
export const requireCustomer = requires<Customer>('customer')

/** Deletes a customer and ends its subscriptions at once. */
export function deleteCustomer(given: Tx, customer: Customer): void {
  const tx = inTimeOf(given, customer)
  for (const subscription of tx.store.select<Subscription>('subscription', 'customer = ?', customer.id)) {
    if (!ended(subscription)) endSubscription(tx, subscription, { reason: 'cancellation_requested' })
  }
  tx.store.markDeleted(customer.id)
  emit(tx, 'customer.deleted', customer)
}
