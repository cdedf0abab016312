import { type PlanTerms, plans } from '#shared/domain/plans.ts'

/** What plans are compared by; all of them stay on the page whichever it is. */
export type Measure = 'month' | 'year'

const perYear = ({ priceCents, interval }: PlanTerms) => (interval === 'year' ? priceCents : 12 * priceCents)

/** "$8.25 a month", "$120 a year": without cents where there are none. */
export function priceFor(terms: PlanTerms, measure: Measure): string {
  const dollars = perYear(terms) / (measure === 'year' ? 1 : 12) / 100
  return `$${Number.isInteger(dollars) ? dollars : dollars.toFixed(2)} a ${measure}`
}

/** Of a yearly plan against twelve months of the monthly one, rounded down: never more than is true. */
export const yearlySavingPercent = Math.floor(100 * (1 - perYear(plans.pro_yearly) / perYear(plans.pro_monthly)))
