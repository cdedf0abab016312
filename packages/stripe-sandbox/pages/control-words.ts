import { productName } from '../objects/subscription-billing.ts'
import type { Tx } from '../tx.ts'
import type { Subscription } from '../types.ts'

/** The names of what a subscription is for. */
export const planWord = (tx: Tx, subscription: Subscription): string =>
  subscription.items.data.map((item) => productName(tx, item.price)).join(', ')
