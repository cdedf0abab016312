import { eq, inArray } from 'drizzle-orm'
import type { Db } from '#server/db/database.ts'
import { offer, revenueCurrencyOffer, revenueOfferTotal } from '#server/db/schema/index.ts'
import type { OfferState } from '#shared/contracts/billing/offers.ts'
import type { OfferTerms } from '#shared/domain/offer-terms.ts'
import type { PlanKey } from '#shared/domain/plans.ts'
import type { Publication } from '#shared/publication-defaults.ts'

export type OfferRow = typeof offer.$inferSelect
type OfferTotals = typeof revenueOfferTotal.$inferSelect & { currency: string }

/** An offer with what it brought in each currency; empty until it is redeemed. */
export type OfferWithTotals = { offer: OfferRow; totals: OfferTotals[] }

export async function withTotals(db: Db, offers: readonly OfferRow[]): Promise<OfferWithTotals[]> {
  const ids = offers.flatMap(({ stripePromotionCodeId: id }) => id ?? [])
  if (ids.length === 0) return offers.map((one) => ({ offer: one, totals: [] }))
  const dollars = await db.select().from(revenueOfferTotal).where(inArray(revenueOfferTotal.promotionCodeId, ids))
  const others = await db.select().from(revenueCurrencyOffer).where(inArray(revenueCurrencyOffer.promotionCodeId, ids))
  const all = [...dollars.map((one) => ({ ...one, currency: 'usd' })), ...others]
  return offers.map((one) => ({
    offer: one,
    totals: all
      .filter(({ promotionCodeId }) => promotionCodeId === one.stripePromotionCodeId)
      .toSorted((a, b) => (a.currency < b.currency ? -1 : 1)),
  }))
}

/** Null if there is no such offer. Codes are case-insensitive. */
export async function findOffer(db: Db, code: string): Promise<OfferWithTotals | null> {
  const rows = await db.select().from(offer).where(eq(offer.code, code.trim().toUpperCase()))
  const [found] = await withTotals(db, rows)
  return found ?? null
}

/** Stripe's count is as old as the last comparison, and ours as the last webhook. */
export const redeemedOf = ({ offer, totals }: OfferWithTotals): number =>
  Math.max(
    offer.timesRedeemed,
    totals.reduce((sum, { subscriptions }) => sum + subscriptions, 0),
  )

export function stateOfOffer(found: OfferWithTotals, now: Date): OfferState {
  const { endedAt, endsAt, maxRedemptions, stripePromotionCodeId } = found.offer
  if (endedAt || (endsAt && endsAt <= now)) return 'ended'
  if (!stripePromotionCodeId) return 'unfinished'
  return maxRedemptions !== null && redeemedOf(found) >= maxRedemptions ? 'used_up' : 'running'
}

export const termsOfOffer = ({ percentOff, amountOffCents, currency, duration, months }: OfferRow) => ({
  percentOff,
  amountOffCents,
  currency,
  duration: duration as OfferTerms['duration'],
  months,
})

export const plansOfOffer = (publication: Publication, { plans }: OfferRow): PlanKey[] =>
  publication.plans.flatMap(({ key }) => (plans.includes(key) ? [key] : []))
