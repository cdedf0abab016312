import type { Config } from '#server/config/config.ts'
import type { PlanIds } from '#server/config/settings.ts'
import type { Plan } from '#shared/contracts/billing/plans.ts'
import type { Products } from '#shared/domain/entitlement.ts'
import { findPlan, isForTeam, type PlanKey, plansOnSale } from '#shared/domain/plans.ts'

type Ids = Pick<Config, 'settings' | 'stripe'>

/** Undefined for a plan that isn't at Stripe yet. The environment's ids count until the table has some. */
export function idsOfPlan({ settings, stripe }: Ids, key: PlanKey): PlanIds | undefined {
  const configured = Object.entries(stripe.ids).find(([name]) => name === key)?.[1]
  const found = settings.planIds.get(key) ?? configured
  return found?.productId && found.priceId ? found : undefined
}

/** Empty for a plan that isn't at Stripe, which matches no product. */
export const productIdOf = (config: Ids, key: PlanKey): string => idsOfPlan(config, key)?.productId ?? ''

const keysOf = ({ settings: { publication } }: Ids) => publication.plans.map(({ key }) => key)

/** The plans on sale with their Stripe ids. */
export const listPlans = (config: Ids): Plan[] =>
  plansOnSale(config.settings.publication).flatMap(({ key, name, priceText, interval, intervalCount }) => {
    const ids = idsOfPlan(config, key)
    return ids ? [{ key, name, priceText, interval, intervalCount, ...ids }] : []
  })

/** The plan on sale at this price. Compares values, so that `constructor` and the like never match. */
export const planOfPrice = (config: Ids, priceId: string): PlanKey | undefined =>
  listPlans(config).find((plan) => plan.priceId === priceId)?.key

/** The currency of the plan on sale at this price. */
export const currencyOfPrice = (config: Ids, priceId: string): string | undefined =>
  findPlan(config.settings.publication, planOfPrice(config, priceId))?.currency

/** The plan of a product, also a retired one. */
export const planOfProduct = (config: Ids, productId: string | null): PlanKey | undefined =>
  productId ? keysOf(config).find((key) => productIdOf(config, key) === productId) : undefined

/** The plan's name, or a generic one if the product is unknown. */
export const planNameOf = (config: Ids, productId: string | null): string =>
  findPlan(config.settings.publication, planOfProduct(config, productId))?.name ??
  `${config.settings.publication.name} plan`

export const productsOf = (config: Ids): Products => {
  const { plans } = config.settings.publication
  const idsOf = (all: readonly PlanKey[]) => new Set(all.map((key) => productIdOf(config, key)).filter(Boolean))
  return { known: idsOf(keysOf(config)), team: idsOf(plans.filter(isForTeam).map(({ key }) => key)) }
}

export const knownProductIds = (config: Ids): ReadonlySet<string> => productsOf(config).known
