import type Stripe from 'stripe'
import { adoptedPrice } from '#server/db/schema/index.ts'
import type { PlanKey } from '#shared/domain/plans.ts'
import { type BillingDeps, idOf } from '../billing-deps.ts'
import { planOfProduct, productIdOf } from '../stripe/plan-ids.ts'

type PriceDeps = Pick<BillingDeps, 'config' | 'database'>

const maxAgeMs = 10_000

type Loaded = { at: number; plans: ReadonlyMap<string, PlanKey> }
/** By configuration, so that two servers in one process don't share them. */
const loaded = new WeakMap<object, Loaded>()

/**
 * Loads which prices of other products count as our plans. Call it before Stripe's objects are interpreted; rows of
 * subscriptions contain our own product ids and don't need it.
 */
export async function loadAdoptedPrices({ config, database }: PriceDeps, maxAge = maxAgeMs): Promise<void> {
  const known = loaded.get(config.stripe)
  if (known && performance.now() - known.at < maxAge) return
  const rows = await database.db.select({ priceId: adoptedPrice.priceId, plan: adoptedPrice.plan }).from(adoptedPrice)
  loaded.set(config.stripe, { at: performance.now(), plans: new Map(rows.map(({ priceId, plan }) => [priceId, plan])) })
}

export const planOfAdoptedPrice = ({ config }: Pick<BillingDeps, 'config'>, priceId: string): PlanKey | undefined =>
  loaded.get(config.stripe)?.plans.get(priceId)

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
