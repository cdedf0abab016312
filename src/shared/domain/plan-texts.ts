import { perPeriod } from './billing-interval.ts'
import type { PlanTerms } from './plans.ts'

/** Who can use the plan. Its note is the publisher's, so it doesn't say whether the owner is one of them. */
export const peopleText = ({ seats, perSeat }: Pick<PlanTerms, 'seats' | 'perSeat'>): string => {
  if (perSeat) return seats === 1 ? 'For a team of any size' : `For ${seats} people or more, including you`
  return seats === 1 ? 'For one person' : `${seats} people, including you`
}

/** "$10 per month", "$57 every 3 months" or "$10 per seat per month". */
export const pricePerInterval = ({
  priceText,
  perSeat,
  ...every
}: Pick<PlanTerms, 'priceText' | 'perSeat' | 'interval' | 'intervalCount'>): string =>
  `${priceText}${perSeat ? ' per seat' : ''} ${perPeriod(every)}`
