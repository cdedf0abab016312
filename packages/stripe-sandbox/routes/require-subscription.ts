import { missing } from '../http/errors.ts'
import type { Tx } from '../tx.ts'
import type { Subscription } from '../types.ts'

/** @param param the parameter with the id */
export function requireSubscription(tx: Tx, id: string, param = 'id'): Subscription {
  const subscription = tx.store.find<Subscription>('subscription', id)
  if (!subscription) throw missing('subscription', id, param)
  return subscription
}
