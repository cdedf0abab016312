import { perPeriod } from './billing-interval.ts'
import { formatWholeMoney } from './format.ts'
import { type PlanTerms, unlimitedSeats } from './plans.ts'

/** Who can use the plan. Its note is the publisher's, so it doesn't say whether the owner is one of them. */
export const peopleText = ({ seats, perSeat }: Pick<PlanTerms, 'seats' | 'perSeat'>): string => {
  if (perSeat) return seats === 1 ? 'For a team of any size' : `For ${seats} people or more, including you`
  if (seats === unlimitedSeats) return 'Any number of people'
  return seats === 1 ? 'For one person' : `${seats} people, including you`
}

/** "14-day free trial" or "$1 for the first 14 days" */
export const trialText = (
  { trialPriceCents, currency }: Pick<PlanTerms, 'trialPriceCents' | 'currency'>,
  days: number,
): string =>
  trialPriceCents
    ? `${formatWholeMoney(trialPriceCents, currency)} for the first ${days} days`
    : `${days}-day free trial`

/** "access for 6 months", "access for good" */
export const accessText = ({ once, ...every }: Pick<PlanTerms, 'once' | 'interval' | 'intervalCount'>): string =>
  once === 'forever' ? 'access for good' : `access for ${everyCount(every)}`

const everyCount = ({ interval, intervalCount = 1 }: Pick<PlanTerms, 'interval' | 'intervalCount'>) =>
  intervalCount === 1 ? `one ${interval}` : `${intervalCount} ${interval}s`

/** "$10 per month", "$57 every 3 months", "$300 once" or "$10 per seat per month". */
export const pricePerInterval = ({
  priceText,
  perSeat,
  once,
  ...every
}: Pick<PlanTerms, 'priceText' | 'perSeat' | 'interval' | 'intervalCount' | 'once'>): string =>
  `${priceText}${perSeat ? ' per seat' : ''} ${once ? 'once' : perPeriod(every)}`
