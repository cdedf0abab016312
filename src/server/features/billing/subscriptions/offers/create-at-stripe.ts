import { eq, sql } from 'drizzle-orm'
import Stripe from 'stripe'
import { offer } from '#server/db/schema/index.ts'
import { AppError } from '#shared/errors.ts'
import { type BillingDeps, toSeconds } from '../billing-deps.ts'
import { productIdOf } from '../stripe/plan-ids.ts'
import { describeFailure } from '../stripe/stripe-errors.ts'
import { type OfferRow, plansOfOffer } from './offer-rows.ts'

/** Fixed, so that an attempt after the idempotency keys have expired finds the coupon of the first one. */
const couponIdOf = ({ id }: Pick<OfferRow, 'id'>): string => `offer_${id}`
/** The same as a column. */
export const couponIdColumn = sql<string>`'offer_' || ${offer.id}`

/**
 * Creates the offer's coupon and promotion code, or finds those of an earlier attempt. Call it while holding the lease
 * `offers`.
 * @throws AppError offer_code_taken if the code was made in Stripe's dashboard; the offer is then ended
 */
export async function createAtStripe(deps: BillingDeps, row: OfferRow): Promise<void> {
  const { db } = deps.database
  await createCoupon(deps, row)
  const code = (await findOwnCode(deps, row)) ?? (await createPromotionCode(deps, row))
  if (code) {
    await db.update(offer).set({ stripePromotionCodeId: code.id }).where(eq(offer.id, row.id))
    return
  }
  await db.update(offer).set({ endedAt: deps.clock() }).where(eq(offer.id, row.id))
  await deps.stripe.coupons.del(couponIdOf(row)).catch((error: unknown) => {
    deps.logger.warn({ offer: row.id, ...describeFailure(error) }, 'an unused coupon was left at Stripe')
  })
  throw new AppError('offer_code_taken')
}

async function createCoupon({ stripe, config }: BillingDeps, row: OfferRow): Promise<void> {
  const products = plansOfOffer(config.settings.publication, row).map((plan) => productIdOf(config, plan))
  try {
    await stripe.coupons.create(
      {
        id: couponIdOf(row),
        // Shown on invoices.
        name: row.code,
        ...(row.percentOff === null
          ? { amount_off: row.amountOffCents ?? 0, currency: row.currency ?? 'usd' }
          : { percent_off: row.percentOff }),
        duration: row.duration as Stripe.CouponCreateParams.Duration,
        ...(row.months !== null && { duration_in_months: row.months }),
        applies_to: { products },
        metadata: { offer_id: row.id },
      },
      { idempotencyKey: `offer-coupon:${row.id}` },
    )
  } catch (error) {
    const exists = error instanceof Stripe.errors.StripeError && error.code === 'resource_already_exists'
    if (!exists) throw error
  }
}

async function findOwnCode({ stripe }: BillingDeps, row: OfferRow): Promise<Stripe.PromotionCode | undefined> {
  const { data } = await stripe.promotionCodes.list({ coupon: couponIdOf(row), limit: 1 })
  return data[0]
}

/** Null if another active promotion code has this code. */
async function createPromotionCode({ stripe }: BillingDeps, row: OfferRow): Promise<Stripe.PromotionCode | null> {
  if ((await stripe.promotionCodes.list({ code: row.code, active: true, limit: 1 })).data.length > 0) return null
  try {
    return await stripe.promotionCodes.create(
      {
        promotion: { type: 'coupon', coupon: couponIdOf(row) },
        code: row.code,
        ...(row.maxRedemptions !== null && { max_redemptions: row.maxRedemptions }),
        ...(row.endsAt && { expires_at: toSeconds(row.endsAt) }),
        ...(row.newCustomersOnly && { restrictions: { first_time_transaction: true } }),
        metadata: { offer_id: row.id },
      },
      { idempotencyKey: `offer-code:${row.id}` },
    )
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.param === 'code') return null
    throw error
  }
}
