import Stripe from 'stripe'
import { type BillingDeps, idOf } from '../billing-deps.ts'
import { isMissing } from '../stripe/stripe-errors.ts'

/** Off the next month. */
export const stayDiscountPercent = 50

const couponId = `stay-${stayDiscountPercent}-percent`

/** The coupon at Stripe, created when it is first needed. */
export async function ensureStayCoupon({ stripe }: Pick<BillingDeps, 'stripe'>): Promise<string> {
  try {
    return (await stripe.coupons.retrieve(couponId)).id
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  try {
    const name = `${stayDiscountPercent}% off one month`
    await stripe.coupons.create({ id: couponId, percent_off: stayDiscountPercent, duration: 'once', name })
  } catch (error) {
    const exists = error instanceof Stripe.errors.StripeError && error.code === 'resource_already_exists'
    if (!exists) throw error
  }
  return couponId
}

/** Until the discounted month is billed. */
export const hasStayDiscount = ({ discounts }: Stripe.Subscription): boolean =>
  discounts.some((discount) => typeof discount === 'object' && idOf(discount.source.coupon) === couponId)
