import type { Config } from '#server/config/config.ts'
import type { Plan } from '#shared/contracts/billing/plans.ts'
import type { Products } from '#shared/domain/entitlement.ts'
import { findPlan, type PlanKey, plansOnSale } from '#shared/domain/plans.ts'
import { publication } from '#shared/publication.ts'

type Ids = Pick<Config, 'stripe'>
type PlanIds = { productId: string; priceId: string }

/** By configuration, so that two servers in one process don't share them. */
const stored = new WeakMap<object, ReadonlyMap<PlanKey, PlanIds>>()

/** Stripe's ids of the plans, as the table `plan` has them. Called whenever the plans are read. */
export const setPlanIds = (config: Ids, ids: ReadonlyMap<PlanKey, PlanIds>): void => {
  stored.set(config.stripe, ids)
}

/** Undefined for a plan that isn't at Stripe yet. The environment's ids count until the table has some. */
export function idsOfPlan({ stripe }: Ids, key: PlanKey): PlanIds | undefined {
  const configured = Object.entries(stripe.ids).find(([name]) => name === key)?.[1]
  const found = stored.get(stripe)?.get(key) ?? configured
  return found?.productId && found.priceId ? found : undefined
}

/** Empty for a plan that isn't at Stripe, which matches no product. */
export const productIdOf = (config: Ids, key: PlanKey): string => idsOfPlan(config, key)?.productId ?? ''

const keys = () => publication.plans.map(({ key }) => key)

/** The plans on sale with their Stripe ids. */
export const listPlans = (config: Ids): Plan[] =>
  plansOnSale().flatMap(({ key, name, priceText, interval }) => {
    const ids = idsOfPlan(config, key)
    return ids ? [{ key, name, priceText, interval, ...ids }] : []
  })

/** The plan on sale at this price. Compares values, so that `constructor` and the like never match. */
export const planOfPrice = (config: Ids, priceId: string): PlanKey | undefined =>
  listPlans(config).find((plan) => plan.priceId === priceId)?.key

/** The plan of a product, also a retired one. */
export const planOfProduct = (config: Ids, productId: string | null): PlanKey | undefined =>
  productId ? keys().find((key) => productIdOf(config, key) === productId) : undefined

/** The plan's name, or a generic one if the product is unknown. */
export const planNameOf = (config: Ids, productId: string | null): string =>
  findPlan(planOfProduct(config, productId))?.name ?? `${publication.name} plan`

export const productsOf = (config: Ids): Products => {
  const idsOf = (all: readonly PlanKey[]) => new Set(all.map((key) => productIdOf(config, key)).filter(Boolean))
  return { known: idsOf(keys()), team: idsOf(publication.plans.filter(({ seats }) => seats > 1).map(({ key }) => key)) }
}

export const knownProductIds = (config: Ids): ReadonlySet<string> => productsOf(config).known
