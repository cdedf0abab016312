import Stripe from 'stripe'
import { type BillingDeps, idOf } from '../billing-deps.ts'

/** Off the next month. */
export const stayDiscountPercent = 50

/** Coupons of an earlier version took a percentage and had one id. */
const couponPrefix = `stay-${stayDiscountPercent}-`

/**
 * The coupon at Stripe for half of what the item costs now, created when it is first needed. A fixed amount of one product,
 * so that a switch to a yearly plan and added seats aren't halved as well. Null for a price without an amount.
 */
export async function ensureStayCoupon(
  { stripe }: Pick<BillingDeps, 'stripe'>,
  { price, quantity }: Stripe.SubscriptionItem,
): Promise<string | null> {
  const product = idOf(price.product)
  const cents = Math.round(((price.unit_amount ?? 0) * (quantity ?? 1) * stayDiscountPercent) / 100)
  if (!product || cents <= 0) return null
  const { currency } = price
  const id = `${couponPrefix}${price.id}-${cents}`
  try {
    await stripe.coupons.create({
      ...{ id, amount_off: cents, currency, duration: 'once', applies_to: { products: [product] } },
      name: `${stayDiscountPercent}% off one month`,
    })
  } catch (error) {
    const exists = error instanceof Stripe.errors.StripeError && error.code === 'resource_already_exists'
    if (!exists) throw error
  }
  return id
}

const isStayDiscount = (discount: string | Stripe.Discount): boolean =>
  typeof discount === 'object' && idOf(discount.source.coupon)?.startsWith(couponPrefix) === true

/** The discount stays until the discounted month is billed. */
export const hasStayDiscount = ({ discounts }: Stripe.Subscription): boolean => discounts.some(isStayDiscount)

/** Parameters that take the discount off a change that is billed now; empty if there is none. */
export function withoutStayDiscount(subscription: Stripe.Subscription) {
  if (!hasStayDiscount(subscription)) return {}
  const kept = otherDiscounts(subscription)
  return { discounts: kept.length > 0 ? kept : ('' as const) }
}

export const otherDiscounts = ({ discounts }: Stripe.Subscription) =>
  discounts.filter((one) => !isStayDiscount(one)).map((one) => ({ discount: idOf(one) ?? '' }))
