import { expireSession } from '../objects/checkout-expire.ts'
import { cardFor, collect } from '../objects/collect-invoice.ts'
import { finalizeInvoice } from '../objects/invoices.ts'
import { settle } from '../objects/subscription-status.ts'
import { atTime, type Tx } from '../tx.ts'
import type { CheckoutSession, Customer, Invoice, Subscription } from '../types.ts'
import { moveSubscription } from './advance-subscription.ts'

/** Finalizes and collects a draft, or retries an open invoice. */
function moveInvoice(tx: Tx, invoice: Invoice): void {
  const open = invoice.status === 'draft' ? finalizeInvoice(tx, invoice) : invoice
  if (open.status === 'paid') {
    settle(tx, open)
    return
  }
  const subscription = tx.store.find<Subscription>('subscription', invoice.parent.subscription_details.subscription)
  const method = cardFor(tx, subscription, tx.store.find<Customer>('customer', invoice.customer))
  settle(tx, collect(tx, open, { method }).invoice)
}

/**
 * Processes the first change due at or before `until` (seconds) for the objects of a test clock, or for those without one.
 * It takes effect at its due time, so that one large step gives the same result as many small ones.
 * @returns the second of the change, or null if nothing is due
 */
export function processNext(tx: Tx, clock: string | null, until: number): number | null {
  const found = tx.store.row(
    `select id, type, due_at from objects where due_at is not null and due_at <= ? and test_clock is ? order by due_at, seq limit 1`,
    until,
    clock,
  )
  if (!found) return null
  const { id, type, due_at: due } = found as { id: string; type: string; due_at: number }
  const then = atTime(tx, due)
  if (type === 'subscription') moveSubscription(then, then.store.find<Subscription>('subscription', id) as Subscription)
  if (type === 'invoice') moveInvoice(then, then.store.find<Invoice>('invoice', id) as Invoice)
  if (type === 'checkout.session')
    expireSession(then, then.store.find<CheckoutSession>('checkout.session', id) as CheckoutSession)
  const after = tx.store.row('select due_at from objects where id = ?', id)
  // Without this, an unexpected state would stay due and block the clock.
  if (after?.due_at === due && type !== 'subscription')
    tx.store.run('update objects set due_at = null where id = ?', id)
  return due
}
