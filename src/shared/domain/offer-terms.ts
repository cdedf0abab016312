import { addMonths } from './add-months.ts'
import { addPeriods, periodText, perPeriod } from './billing-interval.ts'
import { formatWholeMoney } from './format.ts'
import { planCurrencies } from './plan-problem.ts'
import type { PlanTerms } from './plans.ts'

/** 3 to 40 letters, digits and dashes; upper and lower case are the same. */
export const offerCodePattern = /^[A-Z0-9][A-Z0-9-]{1,38}[A-Z0-9]$/i

export const offerDurations = ['once', 'repeating', 'forever'] as const

/** An offer's discount, in the terms of a Stripe coupon. */
export type OfferTerms = {
  /** Either this or `amountOffCents`. */
  percentOff: number | null
  amountOffCents: number | null
  /** Currency of the amount off. Null, as for a percentage, means US dollars. */
  currency?: string | null | undefined
  duration: (typeof offerDurations)[number]
  /** For `repeating`. */
  months: number | null
}

type Priced = Pick<PlanTerms, 'priceCents' | 'currency' | 'interval' | 'intervalCount' | 'perSeat' | 'trialPriceCents'>

/** The price after the discount. Stripe rounds a percentage of the line half up to a cent, and never goes below zero. */
export function discountedCents(priceCents: number, { percentOff, amountOffCents }: OfferTerms): number {
  const off = percentOff === null ? (amountOffCents ?? 0) : Math.floor((priceCents * percentOff) / 100 + 0.5)
  return Math.max(0, priceCents - off)
}

/** "20% off", "$5 off" */
const discountText = ({ percentOff, amountOffCents, currency }: OfferTerms): string =>
  percentOff === null ? `${formatWholeMoney(amountOffCents ?? 0, currency ?? 'usd')} off` : `${percentOff}% off`

/** "20% off the first payment", "$5 off for 3 months", "20% off for as long as you stay" */
export function offerTitle(terms: OfferTerms): string {
  const off = discountText(terms)
  if (terms.duration === 'forever') return `${off} for as long as you stay`
  if (terms.duration === 'once') return `${off} the first payment`
  return `${off} for ${countOf(terms.months ?? 1, 'month')}`
}

const countOf = (count: number, unit: string) => (count === 1 ? `one ${unit}` : `${count} ${unit}s`)

/**
 * Payments that the discount reduces; Infinity if it is all of them. Stripe counts the months from sign-up, so a yearly plan
 * has its first year discounted by a discount of one to twelve months, and a free trial uses some of the time.
 */
export function discountedPayments(
  every: Pick<Priced, 'interval' | 'intervalCount'>,
  { duration, months }: OfferTerms,
  { trialDays, now }: { trialDays: number; now: Date },
): number {
  if (duration === 'forever') return Infinity
  if (duration === 'once') return 1
  const end = addMonths(now, months ?? 1)
  const first = new Date(now.getTime() + trialDays * 24 * 60 * 60 * 1000)
  let count = 0
  while (addPeriods(first, every, count) < end) count += 1
  return count
}

/** "$8 a month for the first 3 months, then $10 a month", after "14 days free, then " or "14 days for $1, then " if there is a trial. */
export function offerPriceText(plan: Priced, terms: OfferTerms, time: { trialDays: number; now: Date }): string {
  const { priceCents, currency, interval, intervalCount = 1, perSeat } = plan
  const each = perSeat ? `a seat ${perPeriod(plan)}` : perPeriod(plan).replace('per', 'a')
  const money = (cents: number) => formatWholeMoney(cents, currency)
  const cost = plan.trialPriceCents ? `for ${money(plan.trialPriceCents)}` : 'free'
  const trial = time.trialDays > 0 ? `${countOf(time.trialDays, 'day')} ${cost}, then ` : ''
  const normal = `${money(priceCents)} ${each}`
  const payments = discountedPayments(plan, terms, time)
  if (payments === 0) return trial + normal
  const price = discountedCents(priceCents, terms)
  if (payments === Infinity) return `${trial}${money(price)} ${each} instead of ${money(priceCents)}`
  const amount = price === 0 ? 'free' : money(price)
  const span = `${amount}${price === 0 || payments === 1 ? '' : ` ${each}`} for the first ${periodText({ interval, intervalCount: payments * intervalCount })}`
  return `${trial}${span}, then ${normal}`
}

/** Says what is wrong with an offer for these plans; null if nothing is. */
export function problemOfOffer(
  terms: OfferTerms,
  plans: readonly Pick<PlanTerms, 'name' | 'priceCents' | 'currency' | 'perSeat'>[],
): string | null {
  const isAmount = terms.percentOff === null
  if (isAmount && new Set(plans.map(({ currency }) => currency)).size > 1) {
    return 'The plans are in different currencies. Choose plans in one currency, or take a percentage off.'
  }
  for (const { name, priceCents, currency, perSeat } of plans) {
    if (perSeat && terms.amountOffCents !== null) {
      return `${name} is priced per seat, and an amount would be taken off once for all of them. Enter a percentage, or leave the plan out.`
    }
    const price = discountedCents(priceCents, terms)
    // Stripe doesn’t charge less; it adds the amount to the next invoice.
    const minCents = planCurrencies[currency] ?? 50
    const money = (cents: number) => formatWholeMoney(cents, currency)
    if ((terms.amountOffCents ?? 0) > priceCents) {
      return `That’s more than ${name} costs (${money(priceCents)}). Enter a smaller amount, or leave the plan out.`
    }
    if (terms.duration === 'forever' && price === 0) {
      return `${name} would be free forever. Choose a smaller discount, or one that ends.`
    }
    if (price > 0 && price < minCents) {
      return `${name} would cost ${money(price)}, which is less than Stripe can charge (${money(minCents)}).`
    }
  }
  return null
}
