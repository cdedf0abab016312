import { and, eq, gt, isNull, or } from 'drizzle-orm'
import type Stripe from 'stripe'
import { offer } from '#server/db/schema/index.ts'
import { dayMs } from '#shared/domain/durations.ts'
import type { BillingDeps } from '../billing-deps.ts'
import { describeFailure, isMissing } from '../stripe/stripe-errors.ts'
import { withLease } from '../sync/lease.ts'
import { couponIdColumn, createAtStripe } from './create-at-stripe.ts'
import type { OfferRow } from './offer-rows.ts'

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
export const refreshOffer = (deps: BillingDeps, id: string): Promise<void> =>
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
