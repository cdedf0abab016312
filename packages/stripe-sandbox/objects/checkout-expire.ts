import { emit, type Tx } from '../tx.ts'
import type { CheckoutSession } from '../types.ts'

/** Expires an open session, after its time or on request. */
export function expireSession(tx: Tx, session: CheckoutSession): CheckoutSession {
  const expired: CheckoutSession = { ...session, status: 'expired', url: null }
  tx.store.put(expired)
  emit(tx, 'checkout.session.expired', expired)
  return expired
}
