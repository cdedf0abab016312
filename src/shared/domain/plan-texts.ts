import type { PlanTerms } from './plans.ts'

/** Who can use the plan. Its note is the publisher's, so it doesn't say whether the owner is one of them. */
export const peopleText = ({ seats }: Pick<PlanTerms, 'seats'>): string =>
  seats === 1 ? 'For one person' : `${seats} people, including you`

/** The lowest price that someone can pay by the month; the share of a yearly one if all plans are yearly. */
export function lowestMonthlyPrice(all: readonly PlanTerms[]): string {
  const [lowest] = all
    .map((one) => ({ isYearly: one.interval === 'year', cents: monthlyCents(one) }))
    .toSorted((one, other) => Number(one.isYearly) - Number(other.isYearly) || one.cents - other.cents)
  return dollars(lowest?.cents ?? 0)
}

const monthlyCents = ({ priceCents, interval }: PlanTerms) => (interval === 'year' ? priceCents / 12 : priceCents)
const dollars = (cents: number) => `$${Number.isInteger(cents / 100) ? cents / 100 : (cents / 100).toFixed(2)}`

/** The price per month of a yearly plan ("$8.25 a month"), or per year of a monthly plan ("$120 a year"). */
export const comparedPrice = (plan: PlanTerms): string =>
  plan.interval === 'year' ? `${dollars(monthlyCents(plan))} a month` : `${dollars(plan.priceCents * 12)} a year`
