import type { Publication } from '../publication-defaults.ts'
import type { PlanKey, PlanTerms } from './plan-terms.ts'

export type { PlanKey, PlanTerms }

type Plans = Pick<Publication, 'plans' | 'name'>

/** Everything on sale, also what is paid once, in the publisher's order. */
export const everythingOnSale = ({ plans }: Plans): PlanTerms[] => plans.filter(({ isRetired }) => !isRetired)

/** Plans that renew, in the publisher's order. */
export const plansOnSale = (publication: Plans): PlanTerms[] =>
  everythingOnSale(publication).filter(({ once }) => !once)

/** Currency of the first plan on sale. Amounts that no payment gives a currency, such as a credit, are in it. */
export const mainCurrency = (publication: Plans): string =>
  (everythingOnSale(publication)[0] ?? publication.plans[0])?.currency ?? 'usd'

/** Every plan, retired ones included. */
export const findPlan = ({ plans }: Plans, key: PlanKey | null | undefined): PlanTerms | undefined =>
  plans.find((plan) => plan.key === key)

/** `seats` of a plan for any number of people: more than any team has. */
export const unlimitedSeats = 10_000

/** Returns true if its owner can invite others. */
export const isForTeam = ({ seats, perSeat }: Pick<PlanTerms, 'seats' | 'perSeat'>): boolean =>
  perSeat === true || seats > 1

/** For one that exists, since plans are never deleted. A page that is older than the plan has no name and price for it. */
export const planOf = (publication: Plans, key: PlanKey): PlanTerms =>
  findPlan(publication, key) ?? ({ ...publication.plans[0], key, name: publication.name, priceText: '' } as PlanTerms)
