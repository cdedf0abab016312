import Stripe from 'stripe'
import { isOnHold } from '#server/db/restore-hold.ts'
import { type BillingDeps, idOf } from '../billing-deps.ts'
import { isLive } from '../sync/choose-subscription.ts'

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

function stayCouponOf(discount: string | Stripe.Discount): string | null {
  const coupon = typeof discount === 'object' ? idOf(discount.source.coupon) : null
  return coupon?.startsWith(couponPrefix) ? coupon : null
}

/** The discount stays until the discounted month is billed. */
export const hasStayDiscount = ({ discounts }: Stripe.Subscription): boolean => discounts.some(stayCouponOf)

/** Names the coupon that a change took off the subscription and that the next renewal gets back. */
const postponedKey = 'stay_discount'

/** Parameters that take the discount off a change that is billed now; empty if there is none. */
export function withoutStayDiscount(subscription: Stripe.Subscription) {
  if (!hasStayDiscount(subscription)) return {}
  const kept = otherDiscounts(subscription)
  return { discounts: kept.length > 0 ? kept : ('' as const) }
}

/** For a change of the plan, to which a postponed discount no longer applies. */
export const withoutPostponedDiscount = { metadata: { [postponedKey]: '' } }

/**
 * The same for a change after which the discount still applies. The subscription says so from the same moment on, and the next
 * sync puts the discount back, so that nothing that stops in between loses it. It is the amount that was accepted, not half of
 * what was added since.
 */
export function withStayDiscountLater(subscription: Stripe.Subscription) {
  const [coupon] = subscription.discounts.flatMap((one) => stayCouponOf(one) ?? [])
  return coupon ? { ...withoutStayDiscount(subscription), metadata: { [postponedKey]: coupon } } : {}
}

/** Puts postponed discounts back. Idempotent. @returns whether anything at Stripe changed */
export async function restoreStayDiscounts(
  deps: BillingDeps,
  listed: readonly Stripe.Subscription[],
): Promise<boolean> {
  const postponed = listed.filter((one) => one.metadata[postponedKey] && isLive(one))
  if (postponed.length === 0 || (await isOnHold(deps.database.db))) return false
  for (const subscription of postponed) {
    const coupon = subscription.metadata[postponedKey] ?? ''
    const discounts = [...otherDiscounts(subscription), { coupon }]
    await deps.stripe.subscriptions
      .update(subscription.id, { discounts, ...withoutPostponedDiscount })
      .catch((error: unknown) => {
        if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
        deps.logger.error({ subscriptionId: subscription.id, err: error }, 'a discount could not be put back')
      })
  }
  return true
}

const otherDiscounts = ({ discounts }: Stripe.Subscription) =>
  discounts.filter((one) => !stayCouponOf(one)).map((one) => ({ discount: idOf(one) ?? '' }))
