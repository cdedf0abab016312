import type { PlanTerms } from '#shared/domain/plans.ts'

/** The price per month of a yearly plan ("$8.25 a month"), or per year of a monthly plan ("$120 a year"). */
export function comparedPrice({ priceCents, interval }: PlanTerms): string {
  const dollars = (interval === 'year' ? priceCents / 12 : priceCents * 12) / 100
  const amount = `$${Number.isInteger(dollars) ? dollars : dollars.toFixed(2)}`
  return interval === 'year' ? `${amount} a month` : `${amount} a year`
}
