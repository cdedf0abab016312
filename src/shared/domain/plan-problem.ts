import { intervalCounts } from './billing-interval.ts'
import { formatWholeMoney } from './format.ts'
import { type PlanTerms, unlimitedSeats } from './plans.ts'

/** Currencies that plans can have, with the smallest amount that Stripe charges, in the smallest unit. */
export const planCurrencies: Readonly<Record<string, number>> = {
  usd: 50,
  eur: 50,
  gbp: 30,
  cad: 50,
  aud: 50,
  nzd: 50,
  chf: 50,
  sek: 300,
  nok: 300,
  dkk: 250,
  pln: 200,
  jpy: 50,
  inr: 50,
  brl: 50,
  mxn: 1000,
  sgd: 50,
  hkd: 400,
}

/** The currency, if plans can have it. */
export const knownCurrency = (given: string | null | undefined): string | undefined =>
  Object.keys(planCurrencies).find((code) => code === given)

/** Stripe's, in the smallest unit. */
export const maxPlanPrice = 99_999_999
export const maxPlanSeats = 500
export const maxTrialDays = 90

export type EditablePlan = Pick<
  PlanTerms,
  | 'name'
  | 'note'
  | 'features'
  | 'priceCents'
  | 'currency'
  | 'interval'
  | 'once'
  | 'floorCents'
  | 'seats'
  | 'trialDays'
  | 'trialPriceCents'
> & { intervalCount: number; perSeat: boolean; forSupporters?: boolean }

/** Says what is wrong with an amount that a buyer chose; null if nothing is. */
export function problemOfAmount(
  { floorCents, priceCents, currency }: Pick<PlanTerms, 'floorCents' | 'priceCents' | 'currency'>,
  amount: number,
): string | null {
  const min = Math.max(floorCents ?? priceCents, planCurrencies[currency] ?? 1)
  if (Number.isInteger(amount) && amount >= min && amount <= maxPlanPrice) return null
  return `Enter an amount from ${formatWholeMoney(min, currency)} to ${formatWholeMoney(maxPlanPrice, currency)}.`
}

/** Says what is wrong with a plan; null if nothing is. */
export function problemOfPlan(plan: EditablePlan): string | null {
  const { name, priceCents, currency, interval, intervalCount, seats, perSeat, trialDays } = plan
  const min = planCurrencies[currency]
  const [fewest, most] = intervalCounts[interval]
  if (name.trim() === '') return 'Enter a name for the plan.'
  if (min === undefined) return 'Choose one of the currencies.'
  if (Number.isNaN(priceCents)) return 'Enter an amount for the price, such as 10 or 7.50.'
  if (priceCents === 0) {
    return 'A plan can’t be free. To give access for free, use complimentary access or the free edition.'
  }
  if (!Number.isInteger(priceCents) || priceCents < min) {
    return `Enter a price of at least ${formatWholeMoney(min, currency)}, which is the least that Stripe charges.`
  }
  if (priceCents > maxPlanPrice) {
    return `Enter a price of at most ${formatWholeMoney(maxPlanPrice, currency)}, which is the most that Stripe accepts.`
  }
  const { floorCents = null } = plan
  if (floorCents !== null && (!Number.isInteger(floorCents) || floorCents < min)) {
    return `Enter a minimum amount of at least ${formatWholeMoney(min, currency)}, which is the least that Stripe charges, or leave it empty.`
  }
  if (floorCents !== null && floorCents > priceCents) return 'The minimum amount is more than the suggested price.'
  if (floorCents !== null && perSeat) return 'A price per seat is fixed. Leave the minimum amount empty.'
  if (!Number.isInteger(intervalCount) || intervalCount < fewest || intervalCount > most) {
    return `Enter ${fewest} to ${most} ${interval}s${plan.once ? '' : ' between payments'}.`
  }
  if (plan.once && (seats !== 1 || perSeat)) return 'A one-time purchase is for one person. Enter 1 for the people.'
  if (plan.once && (trialDays || plan.trialPriceCents != null)) {
    return 'A one-time purchase has no free trial. Leave the days and the trial price empty.'
  }
  const isUnlimited = !perSeat && seats === unlimitedSeats
  if (!isUnlimited && (!Number.isInteger(seats) || seats < 1 || seats > maxPlanSeats)) {
    return perSeat ? `Enter a minimum of 1 to ${maxPlanSeats} seats.` : `Enter 1 to ${maxPlanSeats} people.`
  }
  if (perSeat && priceCents * seats > maxPlanPrice)
    return 'The minimum of seats costs more than Stripe accepts. Enter fewer seats or a lower price.'
  if (trialDays !== null && (!Number.isInteger(trialDays) || trialDays < 0 || trialDays > maxTrialDays)) {
    return `Enter 0 to ${maxTrialDays} days for the trial, or leave it empty.`
  }
  const { trialPriceCents = null } = plan
  if (trialPriceCents === null) return null
  if (!Number.isInteger(trialPriceCents) || trialPriceCents < min) {
    return `Enter a trial price of at least ${formatWholeMoney(min, currency)}, which is the least that Stripe charges, or leave it empty for a free trial.`
  }
  if (!trialDays) return 'Enter the days of the trial that the trial price is for, or leave the trial price empty.'
  if (trialPriceCents > priceCents) return 'The trial price is more than the plan’s price.'
  return null
}
