import { publication } from '../publication.ts'
import type { PlanKey, PlanTerms } from './plan-terms.ts'

export type { PlanKey, PlanTerms }

/** In the publisher's order. */
export const plansOnSale = (): PlanTerms[] => publication.plans.filter(({ isRetired }) => !isRetired)

/** Also retired plans. */
export const findPlan = (key: PlanKey | null | undefined): PlanTerms | undefined =>
  publication.plans.find((plan) => plan.key === key)

/** For one that exists, since plans are never deleted. A page that is older than the plan has no name and price for it. */
export const planOf = (key: PlanKey): PlanTerms =>
  findPlan(key) ?? ({ ...publication.plans[0], key, name: publication.name, priceText: '' } as PlanTerms)
