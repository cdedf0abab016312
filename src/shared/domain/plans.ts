import { publication } from '../publication.ts'

/** The names, prices and texts of the three plans. Product and price ids come from the configuration. */
export const planKeys = ['pro_monthly', 'pro_yearly', 'team_monthly'] as const
export type PlanKey = (typeof planKeys)[number]

type Tier = 'pro' | 'team'

export type PlanTerms = {
  name: string
  tier: Tier
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
const terms: Record<PlanKey, Omit<PlanTerms, 'name' | 'note'>> = {
  pro_monthly: {
    tier: 'pro',
    priceCents: 1000,
    interval: 'month',
    priceText: '$10',
    seats: 1,
  },
  pro_yearly: {
    tier: 'pro',
    priceCents: 9900,
    interval: 'year',
    priceText: '$99',
    seats: 1,
  },
  team_monthly: {
    tier: 'team',
    priceCents: 2000,
    interval: 'month',
    priceText: '$20',
    seats: 3,
  },
}

const plan = (key: PlanKey): PlanTerms => ({
  ...terms[key],
  get name() {
    return publication.plans[key].name
  },
  get note() {
    return publication.plans[key].note
  },
})

export const plans: Record<PlanKey, PlanTerms> = {
  pro_monthly: plan('pro_monthly'),
  pro_yearly: plan('pro_yearly'),
  team_monthly: plan('team_monthly'),
}

/** The price per month of a yearly plan ("$8.25 a month"), or per year of a monthly plan ("$120 a year"). */
export function comparedPrice({ priceCents, interval }: PlanTerms): string {
  const dollars = (interval === 'year' ? priceCents / 12 : priceCents * 12) / 100
  const amount = `$${Number.isInteger(dollars) ? dollars : dollars.toFixed(2)}`
  return interval === 'year' ? `${amount} a month` : `${amount} a year`
}
