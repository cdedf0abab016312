import { formatWholeMoney } from './format-money.ts'
import type { PlanTerms } from './plans.ts'

type Priced = Pick<PlanTerms, 'priceCents' | 'currency' | 'interval' | 'perSeat'>

type Tax = { enabled: boolean; included: boolean }

/** The texts of a plan's price, with a word about tax if it's collected. */
export function priceTexts(plan: Priced, tax?: Tax): Pick<PlanTerms, 'priceText' | 'comparedText'> {
  const { priceCents, currency, interval, perSeat } = plan
  const compared =
    interval === 'year'
      ? `${formatWholeMoney(perMonth(plan), currency)} a month`
      : `${formatWholeMoney(priceCents * 12, currency)} a year`
  return {
    priceText: formatWholeMoney(priceCents, currency),
    comparedText: `${compared}${perSeat ? ' per seat' : ''}${tax?.enabled ? (tax.included ? ', tax included' : ', plus tax') : ''}`,
  }
}

const perMonth = ({ priceCents, interval }: Priced) => (interval === 'year' ? Math.round(priceCents / 12) : priceCents)

/** The lowest price that someone can pay by the month, in the first plan's currency; if all are yearly, a month's share. */
export function lowestMonthlyPrice(all: readonly PlanTerms[]): string {
  const currency = all[0]?.currency ?? 'usd'
  const same = all.filter((plan) => plan.currency === currency)
  const monthly = same.filter(({ interval }) => interval === 'month')
  const prices = (monthly.length > 0 ? monthly : same).map((plan) =>
    // A plan priced per seat costs at least its minimum of seats.
    plan.perSeat ? perMonth({ ...plan, priceCents: plan.priceCents * plan.seats }) : perMonth(plan),
  )
  return formatWholeMoney(Math.min(...(prices.length > 0 ? prices : [0])), currency)
}
