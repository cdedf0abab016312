import { invalid } from '../http/errors.ts'
import { field, listRoute, requires } from '../http/find-objects.ts'
import { route } from '../http/route.ts'
import { requireCustomer } from '../objects/customers.ts'
import { couponUsable } from '../objects/discounts.ts'
import { type MetadataParam, mergeMetadata } from '../objects/metadata.ts'
import { build } from '../schema/build-object.ts'
import { idText, newId } from '../store/ids.ts'
import { change, create, type Tx } from '../tx.ts'
import type { Coupon, PromotionCode } from '../types.ts'
import { requireCoupon } from './coupons.ts'

type CodeParams = {
  promotion: { type: 'coupon'; coupon?: string }
  code?: string
  active?: boolean
  customer?: string
  expires_at?: number
  max_redemptions?: number
  metadata?: MetadataParam
  restrictions?: { first_time_transaction?: boolean; minimum_amount?: number; minimum_amount_currency?: string }
}

/** Codes are case-insensitive. */
export const findCode = (tx: Tx, code: string): PromotionCode | undefined =>
  tx.store
    .select<PromotionCode>('promotion_code', `lookup = ? collate nocase and json_extract(json, '$.active') = 1`, code)
    .at(-1)

/** A code is inactive if its coupon has expired. */
function present(tx: Tx, code: PromotionCode): PromotionCode {
  const coupon = tx.store.find<Coupon>('coupon', code.promotion.coupon)
  const expired = code.expires_at !== null && code.expires_at <= tx.at
  const usedUp = code.max_redemptions !== null && code.times_redeemed >= code.max_redemptions
  return { ...code, active: code.active && coupon !== undefined && couponUsable(tx, coupon) && !expired && !usedUp }
}

const requireCode = requires<PromotionCode>('promotion_code', 'promotion code')

function buildCode(tx: Tx, params: CodeParams): PromotionCode {
  if (params.promotion.coupon === undefined) {
    throw invalid('Missing required param: promotion[coupon].', 'promotion[coupon]', 'parameter_missing')
  }
  const code = params.code ?? idText(8).toUpperCase()
  if (!/^[A-Za-z0-9-]{1,500}$/.test(code))
    throw invalid('A promotion code can contain only letters, digits, and dashes.', 'code')
  if (findCode(tx, code)) throw invalid('An active promotion code with this code already exists.', 'code')
  if (params.expires_at !== undefined && params.expires_at <= tx.at)
    throw invalid('expires_at must be in the future.', 'expires_at')
  if (params.max_redemptions !== undefined && params.max_redemptions < 1)
    throw invalid('max_redemptions must be positive.', 'max_redemptions')
  const {
    first_time_transaction: firstTime,
    minimum_amount: minimum,
    minimum_amount_currency: currency,
  } = params.restrictions ?? {}
  if (minimum !== undefined && currency === undefined)
    throw invalid('minimum_amount needs a currency.', 'restrictions[minimum_amount_currency]')
  return build<PromotionCode>('promotion_code', {
    id: newId('promo'),
    active: params.active ?? true,
    code,
    created: tx.at,
    customer: params.customer === undefined ? null : requireCustomer(tx, params.customer, 'customer').id,
    expires_at: params.expires_at ?? null,
    max_redemptions: params.max_redemptions ?? null,
    metadata: mergeMetadata({}, params.metadata),
    promotion: { coupon: requireCoupon(tx, params.promotion.coupon, 'promotion[coupon]').id, type: 'coupon' },
    restrictions: {
      first_time_transaction: firstTime ?? false,
      minimum_amount: minimum ?? null,
      minimum_amount_currency: currency ?? null,
    },
    times_redeemed: 0,
  })
}

const supports = 'promotion code active customer expires_at max_redemptions metadata restrictions'

export const promotionCodeRoutes = [
  route<CodeParams>('POST', '/v1/promotion_codes', 'post_promotion_codes', supports, ({ tx, params }) =>
    create(tx, 'promotion_code.created', buildCode(tx, params)),
  ),
  route<Partial<CodeParams>>(
    'POST',
    '/v1/promotion_codes/:id',
    'post_promotion_codes_id',
    'active metadata',
    ({ tx, params, id }) => {
      const code = requireCode(tx, id)
      const after = {
        ...code,
        active: params.active ?? code.active,
        metadata: mergeMetadata(code.metadata, params.metadata),
      }
      return present(tx, change(tx, 'promotion_code.updated', code, after))
    },
  ),
  route('GET', '/v1/promotion_codes/:id', 'retrieve', '', ({ tx, id }) => present(tx, requireCode(tx, id))),
  listRoute('/v1/promotion_codes', 'get_promotion_codes', 'promotion_code', {
    filters: {
      active: field('active'),
      code: 'lookup collate nocase',
      coupon: field('promotion.coupon'),
      customer: 'customer',
    },
    present: (tx, json) => present(tx, json as PromotionCode),
  }),
]
