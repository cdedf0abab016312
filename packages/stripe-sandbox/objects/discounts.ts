import { addIntervals } from '../billing/billing-periods.ts'
import { appliesTo, type Reduction } from '../billing/discount-amounts.ts'
import { type ApiError, invalid, missing } from '../http/errors.ts'
import { build } from '../schema/build-object.ts'
import { newId } from '../store/ids.ts'
import type { Tx } from '../tx.ts'
import type { Coupon, Discount, Price, PromotionCode, Subscription } from '../types.ts'

export type DiscountParam = { coupon?: string; promotion_code?: string; discount?: string }

/** A coupon that can be used now, directly or by a promotion code. */
export type Redemption = { coupon: Coupon; promotionCode: PromotionCode | null }

/** A coupon expires by date or number of uses. `valid` is computed when it is read. */
export const couponUsable = (tx: Tx, coupon: Coupon): boolean =>
  (coupon.redeem_by === null || coupon.redeem_by > tx.at) &&
  (coupon.max_redemptions === null || coupon.times_redeemed < coupon.max_redemptions)

/** Stripe shows `applies_to` only on request, so it isn't part of the object. */
export type CouponNotes = { products: string[] | null }

/** The products that a coupon is limited to; null for all. */
export const productsOf = (tx: Tx, { id }: Pick<Coupon, 'id'>): string[] | null =>
  tx.store.notes<CouponNotes>(id).products ?? null

/** The order to discount, with its amount before discounts. */
type Order = { amount: number; currency: string; products: string[] }

export const orderOf = (lines: readonly { price: Price; quantity: number }[]): Order => ({
  amount: lines.reduce((all, { price, quantity }) => all + price.unit_amount * quantity, 0),
  currency: lines[0]?.price.currency ?? '',
  products: lines.map(({ price }) => price.product),
})

/** A fixed amount has one currency; a percentage applies to any. */
const isForeign = (coupon: Coupon, { currency }: Order): boolean =>
  coupon.currency !== null && coupon.currency !== currency

/** A coupon that applies to nothing in the order is refused. */
const isForOthers = (tx: Tx, coupon: Coupon, { products }: Order): boolean => {
  const limit = productsOf(tx, coupon)
  return !products.some((product) => appliesTo(limit, product))
}

const refuse = (message: string, param: string): ApiError => invalid(message, param, 'promotion_code_invalid')

/**
 * Checks a promotion code for a customer and an order.
 * @throws ApiError 400 with the reason why it can't be used
 */
export function redeemPromotionCode(
  tx: Tx,
  code: PromotionCode,
  customer: string | null,
  order: Order,
  param: string,
): Redemption {
  const coupon = tx.store.find<Coupon>('coupon', code.promotion.coupon)
  if (!coupon || !code.active) throw refuse('This promotion code is not active.', param)
  if (code.expires_at !== null && code.expires_at <= tx.at) throw refuse('This promotion code has expired.', param)
  if (code.max_redemptions !== null && code.times_redeemed >= code.max_redemptions)
    throw refuse('This promotion code has been used up.', param)
  if (!couponUsable(tx, coupon)) throw refuse('This promotion code has expired or been used up.', param)
  if (isForeign(coupon, order)) throw refuse('This promotion code is for another currency.', param)
  if (isForOthers(tx, coupon, order))
    throw refuse('This promotion code doesn’t apply to anything in this order.', param)
  if (code.customer !== null && code.customer !== customer)
    throw refuse('This promotion code belongs to another customer.', param)
  const { first_time_transaction: firstTime, minimum_amount: minimum } = code.restrictions
  if (minimum !== null && order.amount < minimum) throw refuse('This promotion code requires a higher amount.', param)
  if (firstTime && customer && hasPaidBefore(tx, customer))
    throw refuse('This promotion code is for first-time customers.', param)
  return { coupon, promotionCode: code }
}

const hasPaidBefore = (tx: Tx, customer: string): boolean =>
  tx.store.row(
    `select 1 from objects where type = 'charge' and customer = ? and status = 'succeeded' limit 1`,
    customer,
  ) !== undefined

/** Reads the new ones of `discounts[]` in a request. */
export function readDiscounts(
  tx: Tx,
  given: DiscountParam[] | '' | undefined,
  customer: string | null,
  order: Order,
): Redemption[] {
  return (given || []).flatMap((each, index) => {
    const param = `discounts[${index}]`
    if (each.discount) return []
    if (each.promotion_code) {
      const code = tx.store.find<PromotionCode>('promotion_code', each.promotion_code)
      if (!code) throw missing('promotion code', each.promotion_code, `${param}[promotion_code]`)
      return redeemPromotionCode(tx, code, customer, order, `${param}[promotion_code]`)
    }
    if (!each.coupon) throw invalid('A discount needs a coupon or a promotion_code.', param)
    const coupon = tx.store.find<Coupon>('coupon', each.coupon)
    if (!coupon) throw missing('coupon', each.coupon, `${param}[coupon]`)
    if (!couponUsable(tx, coupon))
      throw invalid(`Coupon ${coupon.id} is expired.`, `${param}[coupon]`, 'coupon_expired')
    if (isForeign(coupon, order))
      throw invalid(`Coupon ${coupon.id} is in ${coupon.currency}, and the prices are not.`, `${param}[coupon]`)
    if (isForOthers(tx, coupon, order))
      throw invalid(`Coupon ${coupon.id} doesn’t apply to anything in this order.`, `${param}[coupon]`)
    return { coupon, promotionCode: null }
  })
}

/** Counts a use and adds the discount to a subscription. */
export function attachDiscount(
  tx: Tx,
  { coupon, promotionCode }: Redemption,
  subscription: Subscription,
  session: string | null,
): Discount {
  const months = coupon.duration === 'repeating' ? (coupon.duration_in_months ?? 1) : null
  const discount = build<Discount>('discount', {
    id: newId('di'),
    checkout_session: session,
    customer: subscription.customer,
    end: months === null ? null : addIntervals(tx.at, { interval: 'month', interval_count: 1 }, months),
    promotion_code: promotionCode?.id ?? null,
    source: { coupon: coupon.id, type: 'coupon' },
    start: tx.at,
    subscription: subscription.id,
  })
  tx.store.put(discount)
  tx.store.put({ ...coupon, times_redeemed: coupon.times_redeemed + 1 })
  if (promotionCode) tx.store.put({ ...promotionCode, times_redeemed: promotionCode.times_redeemed + 1 })
  return discount
}

/** The subscription's discounts that apply now. */
export function runningReductions(tx: Tx, subscription: Subscription): Reduction[] {
  return subscription.discounts.flatMap((id) => {
    const discount = tx.store.find<Discount>('discount', id)
    const coupon = discount && tx.store.find<Coupon>('coupon', discount.source.coupon, true)
    if (!discount || !coupon || (discount.end !== null && discount.end <= tx.at)) return []
    return [{ discount: id, coupon, products: productsOf(tx, coupon) }]
  })
}

/** Removes discounts that have expired or that this invoice has used up (`once`). */
export function remainingDiscounts(tx: Tx, subscription: Subscription, used: string[]): string[] {
  return subscription.discounts.filter((id) => {
    const discount = tx.store.find<Discount>('discount', id)
    const coupon = discount && tx.store.find<Coupon>('coupon', discount.source.coupon, true)
    if (!discount || !coupon) return false
    if (coupon.duration === 'once' && used.includes(id)) return false
    return discount.end === null || discount.end > tx.at
  })
}
