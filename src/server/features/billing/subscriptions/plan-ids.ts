import type { Config } from '#server/config/config.ts'
import type { Plan } from '#shared/contracts/billing/plans.ts'
import type { Products } from '#shared/domain/entitlement.ts'
import { type PlanKey, planKeys, plans } from '#shared/domain/plans.ts'
import { publication } from '#shared/publication.ts'

type Ids = Pick<Config, 'stripe'>

/** All plans with their configured Stripe ids. */
export const listPlans = (config: Ids): Plan[] =>
  planKeys.map((key) => {
    const { name, priceText, interval } = plans[key]
    return { key, name, priceText, interval, ...config.stripe.ids[key] }
  })

/** The plan with this price id. Compares values, so that `constructor` and the like never match. */
export const planOfPrice = (config: Ids, priceId: string): PlanKey | undefined =>
  planKeys.find((key) => config.stripe.ids[key].priceId === priceId)

/** The plan of a product. */
export const planOfProduct = (config: Ids, productId: string | null): PlanKey | undefined =>
  planKeys.find((key) => config.stripe.ids[key].productId === productId)

/** The plan's name, or a generic one if the product is no longer sold. */
export function planNameOf(config: Ids, productId: string | null): string {
  const plan = planOfProduct(config, productId)
  return plan ? plans[plan].name : `${publication.name} plan`
}

export const productsOf = (config: Ids): Products => {
  const idsOf = (keys: readonly PlanKey[]) => new Set(keys.map((key) => config.stripe.ids[key].productId))
  return { known: idsOf(planKeys), team: idsOf(planKeys.filter((key) => plans[key].seats > 1)) }
}

export const knownProductIds = (config: Ids): ReadonlySet<string> => productsOf(config).known
