import { formatWholeMoney } from './format.ts'
import type { PlanTerms } from './plans.ts'

/** The same of a plan whose texts say it. */
export const taxOfPlan = ({ comparedText }: Pick<PlanTerms, 'comparedText'>): string =>
  ([', tax included', ', plus tax'] as const).find((text) => comparedText.endsWith(text)) ?? ''

type Priced = Pick<PlanTerms, 'priceCents' | 'currency' | 'interval' | 'perSeat'>

type Tax = { enabled: boolean; included: boolean }

/** What follows a price: empty if no tax is collected. */
export const taxText = (tax?: Tax): string => (tax?.enabled ? (tax.included ? ', tax included' : ', plus tax') : '')

/** The texts of a plan's price, with a word about tax if it's collected. */
export function priceTexts(plan: Priced, tax?: Tax): Pick<PlanTerms, 'priceText' | 'comparedText'> {
  const { priceCents, currency, interval, perSeat } = plan
  const compared =
    interval === 'year'
      ? `${formatWholeMoney(perMonth(plan), currency)} a month`
      : `${formatWholeMoney(priceCents * 12, currency)} a year`
  return {
    priceText: formatWholeMoney(priceCents, currency),
    comparedText: `${compared}${perSeat ? ' per seat' : ''}${taxText(tax)}`,
  }
}

const perMonth = ({ priceCents, interval }: Priced) => (interval === 'year' ? Math.round(priceCents / 12) : priceCents)

/**
 * The lowest price that someone can pay by the month, in the first plan's currency; by the year if all plans are yearly.
 * Null without plans.
 */
export function lowestPrice(all: readonly PlanTerms[]): Pick<PlanTerms, 'priceText' | 'interval'> | null {
  const same = all.filter(({ currency }) => currency === all[0]?.currency)
  const monthly = same.filter(({ interval }) => interval === 'month')
  // A plan priced per seat costs at least its minimum of seats.
  const priced = (monthly.length > 0 ? monthly : same).map(({ priceCents, perSeat, seats, ...plan }) => ({
    ...plan,
    cents: perSeat ? priceCents * seats : priceCents,
  }))
  const [lowest] = priced.toSorted((one, other) => one.cents - other.cents)
  return lowest ? { priceText: formatWholeMoney(lowest.cents, lowest.currency), interval: lowest.interval } : null
}
