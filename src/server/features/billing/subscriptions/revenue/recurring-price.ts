import type Stripe from 'stripe'
import { paymentsPerYear } from '#shared/domain/billing-interval.ts'
import type { PlanKey } from '#shared/domain/plans.ts'

/** A price's plan, amount and interval. */
export type PriceTerms = {
  id: string
  plan: PlanKey
  unitCents: number
  /** 4 for a quarterly price. */
  chargesPerYear: number
}

/** Charges per year, such as 12 for monthly and 0.5 for every two years. Null for an unknown interval. */
export function chargesPerYear({ interval, interval_count: count }: Stripe.Price.Recurring): number | null {
  const times = paymentsPerYear({ interval, intervalCount: count })
  return Number.isNaN(times) ? null : times
}

/** Yearly amount in whole cents. Exact for monthly, quarterly, half-yearly and yearly prices. */
export const yearlyOf = (cents: number, { chargesPerYear: times }: Pick<PriceTerms, 'chargesPerYear'>): number =>
  Math.round(cents * times)

export type CouponTerms = Pick<Stripe.Coupon, 'percent_off' | 'amount_off' | 'duration'>

/** One-time discounts don't change recurring revenue. */
export const isRecurring = ({ duration }: Pick<CouponTerms, 'duration'>): boolean => duration !== 'once'

/** The price after its recurring discounts, applied in order and each rounded half up, as on invoices. */
export function afterDiscounts(cents: number, coupons: readonly CouponTerms[]): number {
  return coupons.filter(isRecurring).reduce((rest, { percent_off, amount_off }) => {
    const off = percent_off === null ? (amount_off ?? 0) : Math.floor((rest * percent_off) / 100 + 0.5)
    return Math.max(0, rest - off)
  }, cents)
}
