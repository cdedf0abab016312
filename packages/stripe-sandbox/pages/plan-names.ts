import { productName } from '../objects/subscription-billing.ts'
import type { Tx } from '../tx.ts'
import type { Subscription } from '../types.ts'

/** The product names of a subscription. */
export const planNames = (tx: Tx, subscription: Subscription): string =>
  subscription.items.data.map((item) => productName(tx, item.price)).join(', ')
