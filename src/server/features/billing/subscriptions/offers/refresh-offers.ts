import { and, eq, gt, isNull, or, sql } from 'drizzle-orm'
import Stripe from 'stripe'
import { offer, offer as offerTable, revenueInvoice } from '#server/db/schema/index.ts'
import { dayMs } from '#shared/domain/durations.ts'
import type { PlanKey } from '#shared/domain/plans.ts'
import { AppError } from '#shared/errors.ts'
import { type BillingDeps, toSeconds } from '../billing-deps.ts'
import { productIdOf } from '../stripe/plan-ids.ts'
import { describeFailure, isMissing } from '../stripe/stripe-errors.ts'
import { withLease } from '../sync/lease.ts'
import { findOffer, type OfferRow, plansOfOffer, stateOfOffer, withTotals } from './offer-rows.ts'

/** Fixed, so that an attempt after the idempotency keys have expired finds the coupon of the first one. */
const couponIdOf = ({ id }: Pick<OfferRow, 'id'>): string => `offer_${id}`
/** The same as a column. */
const couponIdColumn = sql<string>`'offer_' || ${offer.id}`

/**
 * Creates the offer's coupon and promotion code, or finds those of an earlier attempt. Call it while holding the lease
 * `offers`.
 * @throws AppError offer_code_taken if the code was made in Stripe's dashboard; the offer is then ended
 */
async function createAtStripe(deps: BillingDeps, row: OfferRow): Promise<void> {
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

/** Changes to offers are made one at a time, on all nodes. */
export const withOfferLease = <T>(deps: BillingDeps, run: () => Promise<T>): Promise<T> =>
  withLease(deps, 'offers', run)

/** Events about coupons and promotion codes. */
export const offerEventTypes = [
  'promotion_code.updated',
  'coupon.updated',
  'coupon.deleted',
] as const satisfies Stripe.Event.Type[]

export const isOfferEvent = (type: string): boolean => (offerEventTypes as readonly string[]).includes(type)

/** Compares the offer of a coupon or promotion code with Stripe. Ignores those that weren't made here. */
export async function refreshOfferOf(deps: BillingDeps, id: string): Promise<void> {
  const [row] = await deps.database.db
    .select({ id: offer.id })
    .from(offer)
    .where(or(eq(offer.stripePromotionCodeId, id), eq(couponIdColumn, id)))
  if (row) await refreshOffer(deps, row.id)
}

/**
 * Stores Stripe's number of redemptions, and whether the offer was ended or reactivated in Stripe's dashboard. A code is
 * also inactive once it has expired or is used up, which the row shows by itself.
 */
const refreshOffer = (deps: BillingDeps, id: string): Promise<void> =>
  withOfferLease(deps, async () => {
    const { db } = deps.database
    const [row] = await db.select().from(offer).where(eq(offer.id, id))
    if (!row?.stripePromotionCodeId) return
    const code = await retrieveCode(deps, row.stripePromotionCodeId)
    const now = deps.clock()
    const timesRedeemed = code?.times_redeemed ?? row.timesRedeemed
    await db
      .update(offer)
      .set({ timesRedeemed, ...endOf(row, { isActive: code?.active ?? false, timesRedeemed }, now) })
      .where(eq(offer.id, id))
  })

function endOf(
  { endedAt, endedHere, endsAt, maxRedemptions }: OfferRow,
  code: { isActive: boolean; timesRedeemed: number },
  now: Date,
): Pick<OfferRow, 'endedAt' | 'endedHere'> {
  if (code.isActive) return { endedAt: null, endedHere: false }
  const isOver = (endsAt && endsAt <= now) || (maxRedemptions !== null && code.timesRedeemed >= maxRedemptions)
  return { endedAt: endedAt ?? (isOver ? null : now), endedHere }
}

async function retrieveCode({ stripe }: BillingDeps, id: string): Promise<Stripe.PromotionCode | null> {
  try {
    return await stripe.promotionCodes.retrieve(id)
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/** Compares all offers that haven't ended with Stripe, and finishes those whose creation was interrupted. */
export async function reconcileOffers(deps: BillingDeps): Promise<void> {
  const yesterday = new Date(deps.clock().getTime() - dayMs)
  const rows = await deps.database.db
    .select()
    .from(offer)
    .where(and(isNull(offer.endedAt), or(isNull(offer.endsAt), gt(offer.endsAt, yesterday))))
  for (const row of rows) {
    try {
      if (row.stripePromotionCodeId) await refreshOffer(deps, row.id)
      else await withOfferLease(deps, () => finishOffer(deps, row.id))
    } catch (error) {
      deps.logger.warn({ offer: row.id, ...describeFailure(error) }, 'comparing an offer with Stripe failed')
    }
  }
}

/** Creates the offer at Stripe unless another request has done so. Call it while holding the lease. */
export async function finishOffer(deps: BillingDeps, id: string): Promise<void> {
  const [row] = await deps.database.db.select().from(offer).where(eq(offer.id, id))
  if (row && !row.stripePromotionCodeId && !row.endedAt) await createAtStripe(deps, row)
}

/** An offer that a checkout was started with. `promotionCodeId` is null if it can't be used. */
export type CheckoutOffer = Pick<OfferRow, 'id' | 'newCustomersOnly'> & { promotionCodeId: string | null }

/** Null if the offer isn't for this plan, which then has its regular price. */
export async function findCheckoutOffer(
  { config, database, clock }: Pick<BillingDeps, 'config' | 'database' | 'clock'>,
  code: string | null | undefined,
  plan: PlanKey,
): Promise<CheckoutOffer | null> {
  if (!code) return null
  const found = await findOffer(database.db, code)
  if (!found) return { id: '', newCustomersOnly: false, promotionCodeId: null }
  const { id, newCustomersOnly, stripePromotionCodeId } = found.offer
  if (!plansOfOffer(config.settings.publication, found.offer).includes(plan)) return null
  const isRunning = stateOfOffer(found, clock()) === 'running'
  return { id, newCustomersOnly, promotionCodeId: isRunning ? stripePromotionCodeId : null }
}

/** @throws AppError offer_unavailable; offer_for_new_customers for a customer who has paid before */
export async function requireUsableOffer({ database }: BillingDeps, offer: CheckoutOffer, customerId: string) {
  if (!offer.promotionCodeId) throw new AppError('offer_unavailable')
  if (!offer.newCustomersOnly) return
  const [paid] = await database.db
    .select({ id: revenueInvoice.id })
    .from(revenueInvoice)
    .where(and(eq(revenueInvoice.customerId, customerId), gt(revenueInvoice.paidCents, 0)))
    .limit(1)
  if (paid) throw new AppError('offer_for_new_customers')
}

/** Maps Stripe's refusal of a discount to the reason. Returns other errors unchanged. */
export async function toOfferUnavailable(deps: BillingDeps, error: unknown, offer: CheckoutOffer | null) {
  const isRefused = error instanceof Stripe.errors.StripeInvalidRequestError && error.param?.startsWith('discounts')
  if (!isRefused || !offer) return error
  await refreshOffer(deps, offer.id)
  const { db } = deps.database
  const [found] = await withTotals(db, await db.select().from(offerTable).where(eq(offerTable.id, offer.id)))
  const isRunning = found && stateOfOffer(found, deps.clock()) === 'running'
  const isForOthers = isRunning && offer.newCustomersOnly
  return new AppError(isForOthers ? 'offer_for_new_customers' : 'offer_unavailable', { cause: error })
}
