import { emit, type Tx } from '../tx.ts'
import type { CheckoutSession } from '../types.ts'

/** An open session that nobody completed in time, or that the application withdrew. */
export function expireSession(tx: Tx, session: CheckoutSession): CheckoutSession {
  const expired: CheckoutSession = { ...session, status: 'expired', url: null }
  tx.store.put(expired)
  emit(tx, 'checkout.session.expired', expired)
  return expired
}
