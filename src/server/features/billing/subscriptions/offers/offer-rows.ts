import { eq } from 'drizzle-orm'
import type { Db } from '#server/db/database.ts'
import { offer, revenueOfferTotal } from '#server/db/schema/index.ts'
import type { OfferState } from '#shared/contracts/billing/offers.ts'
import type { OfferTerms } from '#shared/domain/offer-terms.ts'
import type { PlanKey } from '#shared/domain/plans.ts'
import type { Publication } from '#shared/publication-defaults.ts'

export type OfferRow = typeof offer.$inferSelect
type OfferTotals = typeof revenueOfferTotal.$inferSelect

/** An offer with what it brought; totals are null until it is redeemed. */
export type OfferWithTotals = { offer: OfferRow; totals: OfferTotals | null }

/** Offers with their totals, for a `where`. */
export const selectOffers = (db: Db) =>
  db
    .select({ offer, totals: revenueOfferTotal })
    .from(offer)
    .leftJoin(revenueOfferTotal, eq(revenueOfferTotal.promotionCodeId, offer.stripePromotionCodeId))

/** Null if there is no such offer. Codes are case-insensitive. */
export async function findOffer(db: Db, code: string): Promise<OfferWithTotals | null> {
  const [found] = await selectOffers(db).where(eq(offer.code, code.trim().toUpperCase()))
  return found ?? null
}

/** Stripe's count is as old as the last comparison, and ours as the last webhook. */
export const redeemedOf = ({ offer, totals }: OfferWithTotals): number =>
  Math.max(offer.timesRedeemed, totals?.subscriptions ?? 0)

export function stateOfOffer(found: OfferWithTotals, now: Date): OfferState {
  const { endedAt, endsAt, maxRedemptions, stripePromotionCodeId } = found.offer
  if (endedAt || (endsAt && endsAt <= now)) return 'ended'
  if (!stripePromotionCodeId) return 'unfinished'
  return maxRedemptions !== null && redeemedOf(found) >= maxRedemptions ? 'used_up' : 'running'
}

export const termsOfOffer = ({ percentOff, amountOffCents, duration, months }: OfferRow): OfferTerms => ({
  percentOff,
  amountOffCents,
  duration: duration as OfferTerms['duration'],
  months,
})

export const plansOfOffer = (publication: Publication, { plans }: OfferRow): PlanKey[] =>
  publication.plans.flatMap(({ key }) => (plans.includes(key) ? [key] : []))
