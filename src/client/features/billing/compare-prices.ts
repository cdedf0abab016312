import type { PlanTerms } from '#shared/domain/plans.ts'

/** What a plan costs by the other measure: "$8.25 a month" for a yearly one, "$120 a year" for a monthly one. */
export function comparedPrice({ priceCents, interval }: PlanTerms): string {
  const dollars = (interval === 'year' ? priceCents / 12 : priceCents * 12) / 100
  const amount = `$${Number.isInteger(dollars) ? dollars : dollars.toFixed(2)}`
  return interval === 'year' ? `${amount} a month` : `${amount} a year`
}
