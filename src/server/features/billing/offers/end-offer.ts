import { and, eq, isNull } from 'drizzle-orm'
import { offer } from '#server/db/schema/index.ts'
import type { BillingDeps } from '#server/features/billing/subscriptions/billing-deps.ts'
import { withOfferLease } from '#server/features/billing/subscriptions/offers/refresh-offers.ts'
import { isMissing, withStripeErrors } from '#server/features/billing/subscriptions/stripe/stripe-errors.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { AppError } from '#shared/errors.ts'

/**
 * Deactivates the promotion code. Subscriptions that redeemed it keep their discount. Ending an ended offer changes nothing.
 * @throws AppError not_found, stripe_unavailable
 */
export async function endOffer(deps: BillingDeps, who: Actor, id: string): Promise<void> {
  const { db } = deps.database
  await withOfferLease(deps, async () => {
    const [row] = await db.select().from(offer).where(eq(offer.id, id))
    if (!row) throw new AppError('not_found')
    if (row.stripePromotionCodeId) await deactivate(deps, row.stripePromotionCodeId)
    const now = deps.clock()
    await db.transaction(async (tx) => {
      const ended = await tx
        .update(offer)
        .set({ endedAt: now, endedHere: true })
        .where(and(eq(offer.id, id), isNull(offer.endedAt)))
        .returning({ id: offer.id })
      if (ended.length === 0) return
      await recordAdminEvent(tx, who, {
        event: 'offer_ended',
        object: { kind: 'offer', id, name: row.code },
        changes: [{ field: 'state', before: 'running', after: 'ended' }],
        now,
      })
    })
  })
}

const deactivate = (deps: BillingDeps, promotionCodeId: string) =>
  withStripeErrors(deps, 'end-offer', async () => {
    try {
      await deps.stripe.promotionCodes.update(promotionCodeId, { active: false })
    } catch (error) {
      if (!isMissing(error)) throw error
    }
  })
