import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import { retentionOffer } from '#server/db/schema/index.ts'
import type { takeStayOfferCall } from '#shared/contracts/billing/billing.ts'
import type { Subscription } from '#shared/contracts/billing/subscription.ts'
import { AppError } from '#shared/errors.ts'
import type { BillingDeps } from '../billing-deps.ts'
import {
  type Actor,
  type CurrentSubscription,
  changeSubscription,
  idempotencyKeyFor,
  requireOnlyPlanBilled,
} from '../plan-changes/change-subscription.ts'
import { pauseCurrentPlan } from '../plan-changes/pause-plan.ts'
import { planItemOf } from '../sync/plan-subscriptions.ts'
import { isOpen } from './retention-offers.ts'
import { ensureStayCoupon, hasStayDiscount } from './stay-discount.ts'

type Taking = z.output<typeof takeStayOfferCall.input>

/**
 * Takes an offer of a pause or a discount. Taking it again, as in another tab, changes nothing. The sync after the change
 * records that it was taken.
 * @throws AppError stay_offer_unavailable; errors of `changeSubscription`
 */
export const takeStayOffer = (deps: BillingDeps, who: Actor, taking: Taking): Promise<Subscription> =>
  changeSubscription(deps, who, 'take-stay-offer', async (current) => {
    const { id, kind, months, comment } = taking
    const { db } = deps.database
    const own = and(eq(retentionOffer.id, id), eq(retentionOffer.userId, who.userId))
    const [offer] = await db.select().from(retentionOffer).where(own)
    if (!offer || offer.kind !== kind) throw new AppError('stay_offer_unavailable')
    if (offer.takenAt) return
    const { subscription } = current
    // Taken before our row knew it, then replaced by another offer.
    const hasOther = kind === 'pause' ? hasStayDiscount(subscription) : subscription.pause_collection !== null
    if (hasOther || !isOpen(offer, current.now)) throw new AppError('stay_offer_unavailable')
    // Before the change, so that the words aren't lost if the server stops.
    if (comment) await db.update(retentionOffer).set({ comment }).where(own)
    if (kind === 'pause') await pauseCurrentPlan(deps, current, { months, requestId: id })
    else await discountNextMonth(deps, current, id)
  })

/** @throws AppError subscription_not_changeable for a plan that isn't paid for, or has a discount or an end */
async function discountNextMonth(deps: BillingDeps, current: CurrentSubscription, requestId: string): Promise<void> {
  requireOnlyPlanBilled(deps, current)
  const { subscription } = current
  if (hasStayDiscount(subscription)) return
  const isEnding = subscription.cancel_at !== null || subscription.cancel_at_period_end
  if (subscription.status !== 'active' || isEnding || subscription.discounts.length > 0) {
    throw new AppError('subscription_not_changeable')
  }
  const item = planItemOf(deps, subscription)
  const coupon = item && (await ensureStayCoupon(deps, item))
  if (!coupon) throw new AppError('subscription_not_changeable')
  await deps.stripe.subscriptions.update(
    subscription.id,
    { discounts: [{ coupon }] },
    idempotencyKeyFor('stay-discount', current, requestId),
  )
}
