import { paymentsPerYear } from './billing-interval.ts'
import { formatWholeMoney } from './format.ts'
import { accessText } from './plan-texts.ts'
import type { PlanTerms } from './plans.ts'

/** The same of a plan whose texts say it. */
export const taxOfPlan = ({ comparedText }: Pick<PlanTerms, 'comparedText'>): string =>
  ([', tax included', ', plus tax'] as const).find((text) => comparedText.endsWith(text)) ?? ''

type Priced = Pick<
  PlanTerms,
  'priceCents' | 'currency' | 'interval' | 'intervalCount' | 'once' | 'floorCents' | 'perSeat'
>

type Tax = { enabled: boolean; included: boolean }

/** What follows a price: empty if no tax is collected. */
export const taxText = (tax?: Tax): string => (tax?.enabled ? (tax.included ? ', tax included' : ', plus tax') : '')

/** The texts of a plan's price, with a word about tax if it's collected. */
export function priceTexts(plan: Priced, tax?: Tax): Pick<PlanTerms, 'priceText' | 'comparedText'> {
  const { priceCents, currency, perSeat } = plan
  const times = paymentsPerYear(plan)
  const [parts, unit] = times < 12 ? ([12, 'month'] as const) : ([1, 'year'] as const)
  const compared = plan.once
    ? accessText(plan).replace('a', 'A')
    : `${formatWholeMoney(Math.round((priceCents * times) / parts), currency)} a ${unit}`
  const floor = plan.floorCents ? `You choose, from ${formatWholeMoney(plan.floorCents, currency)}. ` : ''
  return {
    priceText: formatWholeMoney(priceCents, currency),
    comparedText: `${floor}${compared}${perSeat ? ' per seat' : ''}${taxText(tax)}`,
  }
}

/**
 * The lowest price that someone can pay by the month, in the first plan's currency; of the other plans if none is monthly.
 * Null without plans.
 */
export function lowestPrice(
  all: readonly PlanTerms[],
): Pick<PlanTerms, 'priceText' | 'interval' | 'intervalCount'> | null {
  const same = all.filter(({ currency }) => currency === all[0]?.currency)
  const monthly = same.filter((plan) => paymentsPerYear(plan) === 12)
  // A plan priced per seat costs at least its minimum of seats.
  const priced = (monthly.length > 0 ? monthly : same).map(({ priceCents, perSeat, seats, ...plan }) => ({
    ...plan,
    cents: perSeat ? priceCents * seats : priceCents,
  }))
  const [lowest] = priced.toSorted(
    (one, other) => one.cents * paymentsPerYear(one) - other.cents * paymentsPerYear(other),
  )
  if (!lowest) return null
  const { cents, currency, interval, intervalCount } = lowest
  return { priceText: formatWholeMoney(cents, currency), interval, ...(intervalCount && { intervalCount }) }
}
