/** The names, prices and texts of the three plans (spec §9). Product and price ids come from the configuration. */
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
  /** One line under the price, if there is something to add. */
  note?: string
  /** People who can use one subscription, including the owner. */
  seats: number
}

/** What every plan includes. `promptCount`: published prompts; 0 if unknown. */
export const planBenefits = (promptCount: number): readonly string[] => [
  'Every weekly drop, in the order that fits your business',
  promptCount > 1 ? `All ${promptCount} prompts, ready to copy` : 'Prompts, ready to copy',
  'Playbooks and templates to download',
  'Tool picks with plain verdicts',
]

export const plans: Record<PlanKey, PlanTerms> = {
  pro_monthly: {
    name: 'Pro Monthly',
    tier: 'pro',
    priceCents: 1000,
    interval: 'month',
    priceText: '$10',
    seats: 1,
  },
  pro_yearly: {
    name: 'Pro Yearly',
    tier: 'pro',
    priceCents: 9900,
    interval: 'year',
    priceText: '$99',
    note: 'Save $21 a year',
    seats: 1,
  },
  team_monthly: {
    name: 'Team Monthly',
    tier: 'team',
    priceCents: 2000,
    interval: 'month',
    priceText: '$20',
    note: 'Up to 3 team members',
    seats: 3,
  },
}

/** The price per month of a yearly plan ("$8.25 a month"), or per year of a monthly plan ("$120 a year"). */
export function comparedPrice({ priceCents, interval }: PlanTerms): string {
  const dollars = (interval === 'year' ? priceCents / 12 : priceCents * 12) / 100
  const amount = `$${Number.isInteger(dollars) ? dollars : dollars.toFixed(2)}`
  return interval === 'year' ? `${amount} a month` : `${amount} a year`
}
