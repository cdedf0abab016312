import { publication } from '../publication.ts'

/** The names, prices and texts of the three plans. Product and price ids come from the configuration. */
export const planKeys = ['pro_monthly', 'pro_yearly', 'team_monthly'] as const
export type PlanKey = (typeof planKeys)[number]

export type PlanTerms = {
  name: string
  priceCents: number
  interval: 'month' | 'year'
  /** As printed on the plan: "$10". */
  priceText: string
  /** One line under the price; empty for none. */
  note: string
  /** People who can use one subscription, including the owner. */
  seats: number
}

/** Prices are Stripe’s; names and notes are settings of the publication. */
const plan = (key: PlanKey, priceCents: number, interval: PlanTerms['interval'], seats: number): PlanTerms => ({
  priceCents,
  interval,
  priceText: `$${priceCents / 100}`,
  seats,
  get name() {
    return publication.plans[key].name
  },
  get note() {
    return publication.plans[key].note
  },
})

export const plans: Record<PlanKey, PlanTerms> = {
  pro_monthly: plan('pro_monthly', 1000, 'month', 1),
  pro_yearly: plan('pro_yearly', 9900, 'year', 1),
  team_monthly: plan('team_monthly', 2000, 'month', 3),
}
