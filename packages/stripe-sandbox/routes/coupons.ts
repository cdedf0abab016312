import { invalid, missing } from '../http/errors.ts'
import { listRoute, requires } from '../http/find-objects.ts'
import { route } from '../http/route.ts'
import { requireCurrency } from '../objects/currency.ts'
import { type CouponNotes, couponUsable } from '../objects/discounts.ts'
import { clearedBy, type MetadataParam, mergeMetadata } from '../objects/metadata.ts'
import { build } from '../schema/build-object.ts'
import { idText } from '../store/ids.ts'
import { create, emit, type Tx } from '../tx.ts'
import type { Coupon } from '../types.ts'

type CouponParams = {
  id?: string
  amount_off?: number
  applies_to?: { products?: string[] }
  currency?: string
  duration?: Coupon['duration']
  duration_in_months?: number
  max_redemptions?: number
  metadata?: MetadataParam
  name?: string
  percent_off?: number
  redeem_by?: number
}

export const requireCoupon = requires<Coupon>('coupon')

function checkValue(params: CouponParams): void {
  const { amount_off: amount, percent_off: percent } = params
  if ((amount === undefined) === (percent === undefined)) {
    const code = amount === undefined ? 'parameter_missing' : undefined
    throw invalid('Specify either percent_off or amount_off.', 'percent_off', code)
  }
  if (percent !== undefined && (percent <= 0 || percent > 100)) {
    throw invalid('Invalid number: percent_off must be greater than 0 and at most 100.', 'percent_off')
  }
  if (amount !== undefined && (amount <= 0 || params.currency === undefined)) {
    throw invalid('amount_off must be positive and needs a currency.', amount <= 0 ? 'amount_off' : 'currency')
  }
  if ((params.duration === 'repeating') !== (params.duration_in_months !== undefined)) {
    throw invalid(
      'duration_in_months is required if duration is repeating, and not allowed otherwise.',
      'duration_in_months',
    )
  }
}

function buildCoupon(tx: Tx, params: CouponParams): Coupon {
  checkValue(params)
  const months = params.duration_in_months
  if (months !== undefined && (months < 1 || months > 120))
    throw invalid('duration_in_months must be between 1 and 120.', 'duration_in_months')
  if (params.max_redemptions !== undefined && params.max_redemptions < 1)
    throw invalid('max_redemptions must be positive.', 'max_redemptions')
  if (params.redeem_by !== undefined && params.redeem_by <= tx.at)
    throw invalid('redeem_by must be in the future.', 'redeem_by')
  if (params.id !== undefined && (!/^[\w-]{1,200}$/.test(params.id) || tx.store.find('coupon', params.id, true))) {
    throw invalid(
      'Coupon already exists, or its id has characters other than letters, digits, - and _.',
      'id',
      'resource_already_exists',
    )
  }
  return build<Coupon>('coupon', {
    id: params.id ?? idText(8),
    amount_off: params.amount_off ?? null,
    created: tx.at,
    currency: params.currency === undefined ? null : requireCurrency(params.currency, 'currency'),
    duration: params.duration ?? 'once',
    duration_in_months: months ?? null,
    max_redemptions: params.max_redemptions ?? null,
    metadata: mergeMetadata({}, params.metadata),
    name: clearedBy(params.name, null),
    percent_off: params.percent_off ?? null,
    redeem_by: params.redeem_by ?? null,
    times_redeemed: 0,
    valid: true,
  })
}

/** @throws ApiError 400 for an unknown product */
function readProducts(tx: Tx, given: CouponParams['applies_to']): string[] | null {
  const products = given?.products ?? []
  products.forEach((id, index) => {
    if (!tx.store.find('product', id)) throw missing('product', id, `applies_to[products][${index}]`)
  })
  return products.length > 0 ? products : null
}

const supports =
  'id applies_to amount_off currency duration duration_in_months max_redemptions metadata name percent_off redeem_by'

export const couponRoutes = [
  route<CouponParams>('POST', '/v1/coupons', 'post_coupons', supports, ({ tx, params }) => {
    const notes: CouponNotes = { products: readProducts(tx, params.applies_to) }
    const coupon = create(tx, 'coupon.created', buildCoupon(tx, params))
    tx.store.put(coupon, notes)
    return coupon
  }),
  listRoute('/v1/coupons', 'get_coupons', 'coupon', {
    present: (tx, json) => ({ ...(json as Coupon), valid: couponUsable(tx, json as Coupon) }),
  }),
  route('GET', '/v1/coupons/:id', 'retrieve', '', ({ tx, id }) => {
    const coupon = requireCoupon(tx, id)
    return { ...coupon, valid: couponUsable(tx, coupon) }
  }),
  route('DELETE', '/v1/coupons/:id', 'none', '', ({ tx, id }) => {
    const coupon = requireCoupon(tx, id)
    tx.store.markDeleted(id)
    emit(tx, 'coupon.deleted', coupon)
    return { id, object: 'coupon', deleted: true }
  }),
]
