import type Stripe from 'stripe'
import { type BillingDeps, idOf } from './billing-deps.ts'
import { knownProductIds } from './plan-ids.ts'

type Ids = Pick<BillingDeps, 'config'>
type Items = Pick<Stripe.Subscription, 'items'>

const sellsPlan = ({ config }: Ids) => {
  const known = knownProductIds(config)
  return ({ price }: Stripe.SubscriptionItem) => known.has(idOf(price.product) ?? '')
}

/** The item for one of our plans. A publisher's customer may subscribe to other products too, even in one subscription. */
export const planItemOf = (deps: Ids, { items }: Items): Stripe.SubscriptionItem | undefined =>
  items.data.find(sellsPlan(deps))

export const isPlanSubscription = (deps: Ids, subscription: Items): boolean =>
  planItemOf(deps, subscription) !== undefined

/** Whether it bills anything besides our plans. We never cancel, refund or change such a subscription as a whole. */
export const billsOtherProducts = (deps: Ids, { items }: Items): boolean => !items.data.every(sellsPlan(deps))

const ended: ReadonlySet<string> = new Set(['canceled', 'incomplete_expired'])

/** For good; a subscription that is unpaid or paused may still come back. */
export const hasEnded = ({ status }: Pick<Stripe.Subscription, 'status'>): boolean => ended.has(status)

/** A checkout that this server began, as opposed to one that the publisher made for another product. */
export const isPlanCheckout = ({ metadata }: Pick<Stripe.Checkout.Session, 'metadata'>): boolean =>
  Boolean(metadata?.nonce && metadata.price_id)
