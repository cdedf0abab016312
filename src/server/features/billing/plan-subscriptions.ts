import type Stripe from 'stripe'
import { type BillingDeps, idOf } from './billing-deps.ts'
import { knownProductIds } from './plan-ids.ts'

type Ids = Pick<BillingDeps, 'config'>
type Items = Pick<Stripe.Subscription, 'items'>

const sellsPlan = ({ config }: Ids) => {
  const known = knownProductIds(config)
  return ({ price }: Stripe.SubscriptionItem) => known.has(idOf(price.product) ?? '')
}

/** The item of one of our plans. The subscription can also bill other products of the same Stripe account. */
export const planItemOf = (deps: Ids, { items }: Items): Stripe.SubscriptionItem | undefined =>
  items.data.find(sellsPlan(deps))

export const isPlanSubscription = (deps: Ids, subscription: Items): boolean =>
  planItemOf(deps, subscription) !== undefined

/** Whether it bills anything besides our plans. We never cancel, refund or change such a subscription. */
export const billsOtherProducts = (deps: Ids, { items }: Items): boolean => !items.data.every(sellsPlan(deps))

const ended: ReadonlySet<string> = new Set(['canceled', 'incomplete_expired'])

/** Whether it has ended permanently. Unpaid and paused subscriptions can be reactivated. */
export const hasEnded = ({ status }: Pick<Stripe.Subscription, 'status'>): boolean => ended.has(status)

/** Whether this server created the checkout session. */
export const isPlanCheckout = ({ metadata }: Pick<Stripe.Checkout.Session, 'metadata'>): boolean =>
  Boolean(metadata?.nonce && metadata.price_id)
