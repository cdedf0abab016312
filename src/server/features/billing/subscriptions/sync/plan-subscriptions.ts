import type Stripe from 'stripe'
import { type BillingDeps, idOf } from '../billing-deps.ts'
import { planOfProduct, productIdOf } from '../stripe/plan-ids.ts'
import { planOfAdoptedPrice } from './adopted-prices.ts'

type Ids = Pick<BillingDeps, 'config'>
type Items = Pick<Stripe.Subscription, 'items'>

/** The plan of a Stripe price: by its product, or as adopted from another product (`loadAdoptedPrices`). */
export const planOfStripePrice = (deps: Ids, { id, product }: Pick<Stripe.Price, 'id' | 'product'>) =>
  planOfProduct(deps.config, idOf(product)) ?? planOfAdoptedPrice(deps, id)

/** The product id of the price's plan. For an adopted price it is ours, so that stored rows contain only our products. */
export function planProductOf(deps: Ids, price: Pick<Stripe.Price, 'id' | 'product'> | undefined): string | null {
  const plan = price && planOfStripePrice(deps, price)
  return plan ? productIdOf(deps.config, plan) : null
}

export const sellsPlan =
  (deps: Ids) =>
  ({ price }: Pick<Stripe.SubscriptionItem, 'price'>) =>
    planOfStripePrice(deps, price) !== undefined

/** The item of one of our plans. The subscription can also bill other products of the same Stripe account. */
export const planItemOf = (deps: Ids, { items }: Items): Stripe.SubscriptionItem | undefined =>
  items.data.find(sellsPlan(deps))

export const isPlanSubscription = (deps: Ids, subscription: Items): boolean =>
  planItemOf(deps, subscription) !== undefined

/** Returns true if it bills anything besides our plans. We never cancel, refund or change such a subscription. */
export const billsOtherProducts = (deps: Ids, { items }: Items): boolean => !items.data.every(sellsPlan(deps))

const ended: ReadonlySet<string> = new Set(['canceled', 'incomplete_expired'])

/** Returns true if it has ended permanently. Unpaid and paused subscriptions can be reactivated. */
export const hasEnded = ({ status }: Pick<Stripe.Subscription, 'status'>): boolean => ended.has(status)

/** Returns true if this server created the checkout session. */
export const isPlanCheckout = ({ metadata }: Pick<Stripe.Checkout.Session, 'metadata'>): boolean =>
  Boolean(metadata?.nonce && metadata.price_id)
