import { invalid } from '../http/errors.ts'
import type { Tx } from '../tx.ts'
import type { Customer, Subscription } from '../types.ts'
import { ended } from './subscription-status.ts'

/**
 * A customer is billed in one currency: that of their subscriptions, or of what is left of their balance.
 * @throws ApiError 400 for another one
 */
export function requireCurrencyOf(tx: Tx, customer: Customer, currency: string): void {
  const subscriptions = tx.store.select<Subscription>('subscription', 'customer = ?', customer.id)
  const other = subscriptions.find((one) => !ended(one) && one.currency !== currency)
  const isOwed = customer.balance !== 0 && typeof customer.currency === 'string' && customer.currency !== currency
  if (!other && !isOwed) return
  throw invalid(
    `You cannot combine currencies on a single customer. This customer uses ${other?.currency ?? customer.currency}.`,
    'currency',
  )
}

/** Remembers the currency of the newest subscription. */
export function setCurrencyOf(tx: Tx, id: string, currency: string): void {
  const customer = tx.store.find<Customer>('customer', id)
  if (customer && customer.currency !== currency) tx.store.put({ ...customer, currency })
}
