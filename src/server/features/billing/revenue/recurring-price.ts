import type Stripe from 'stripe'
import type { PlanKey } from '#shared/domain/plans.ts'

/** What a price comes to in a year. */
export type PriceTerms = {
  id: string
  plan: PlanKey
  unitCents: number
  /** A quarterly price is charged four times. */
  chargesPerYear: number
}

/** Weeks and days do not fit into a year: 52 and 365 are what the trade counts with. */
const perYear: Readonly<Record<string, number>> = { day: 365, week: 52, month: 12, year: 1 }

/** How often a year such a price is charged: 12 by month, 0.5 every two years. Null for an interval that is not known. */
export function chargesPerYear({ interval, interval_count: count }: Stripe.Price.Recurring): number | null {
  const times = perYear[interval]
  return times === undefined ? null : times / count
}

/** A year's worth in whole cents: exact for every price by month, quarter, half-year and year. */
export const yearlyOf = (cents: number, { chargesPerYear: times }: Pick<PriceTerms, 'chargesPerYear'>): number =>
  Math.round(cents * times)

export type CouponTerms = Pick<Stripe.Coupon, 'percent_off' | 'amount_off' | 'duration'>

/** A discount on the first payment alone changes what is paid then, not what is paid regularly. */
export const isRecurring = ({ duration }: Pick<CouponTerms, 'duration'>): boolean => duration !== 'once'

/** What a price costs after its recurring discounts, one after the other, each rounded half up as on an invoice. */
export function afterDiscounts(cents: number, coupons: readonly CouponTerms[]): number {
  return coupons.filter(isRecurring).reduce((rest, { percent_off, amount_off }) => {
    const off = percent_off === null ? (amount_off ?? 0) : Math.floor((rest * percent_off) / 100 + 0.5)
    return Math.max(0, rest - off)
  }, cents)
}
