import { count, eq } from 'drizzle-orm'
import { teamSeat } from '#server/db/schema/index.ts'
import type { StayOffer } from '#shared/contracts/billing/billing.ts'
import { planOf, plansOnSale } from '#shared/domain/plans.ts'
import type { BillingDeps } from '../billing-deps.ts'
import { type CurrentSubscription, fetchCurrentSubscription } from '../plan-changes/change-subscription.ts'
import { planOfProduct } from '../stripe/plan-ids.ts'
import { withStripeErrors } from '../stripe/stripe-errors.ts'
import { withLease } from '../sync/lease.ts'
import { billsOtherProducts } from '../sync/plan-subscriptions.ts'
import { storedPrice } from '../sync/stored-price.ts'
import { findSubscriptionRow } from '../sync/subscription-row.ts'
import { type CancelReason, fittingOffer, type StayFacts } from './fitting-offer.ts'
import { recordOffer } from './retention-offers.ts'
import { hasStayDiscount, stayDiscountPercent } from './stay-discount.ts'

type Answer = { offer: StayOffer | null }

/**
 * What to offer a member who wants to cancel for this reason, at most once a year. Only active plans with nothing else
 * scheduled get one. Waits for an offer that is being taken in another tab, so that it isn't replaced meanwhile.
 * @throws AppError no_billing_account, stripe_unavailable, overloaded
 */
export const offerToStay = (deps: BillingDeps, who: { userId: string }, reason: CancelReason): Promise<Answer> =>
  withLease(deps, `billing:${who.userId}`, () => makeOffer(deps, who.userId, reason))

async function makeOffer(deps: BillingDeps, userId: string, reason: CancelReason): Promise<Answer> {
  const current = await withStripeErrors(deps, 'offer-to-stay', () => fetchCurrentSubscription(deps, userId))
  const facts = await readFacts(deps, userId, current)
  const offer = facts && fittingOffer(reason, facts)
  if (!offer) return { offer: null }
  const { subscription, now } = current
  const row = await recordOffer(deps, { userId, subscriptionId: subscription.id, reason, offer, now })
  return {
    offer: row && { ...offer, id: row.id, percentOff: offer.kind === 'discount' ? stayDiscountPercent : null },
  }
}

async function readFacts(deps: BillingDeps, userId: string, current: CurrentSubscription): Promise<StayFacts | null> {
  const { subscription } = current
  const isSettled =
    subscription.status === 'active' &&
    subscription.cancel_at === null &&
    !subscription.cancel_at_period_end &&
    subscription.pause_collection === null &&
    !hasStayDiscount(subscription)
  if (!isSettled || billsOtherProducts(deps, subscription)) return null
  const { db } = deps.database
  const row = await findSubscriptionRow(db, userId)
  const plan = planOfProduct(deps.config, row?.productId ?? null)
  const price = row && storedPrice(deps.config, row)
  if (!plan || !price) return null
  const { publication } = deps.config.settings
  const [members] = await db.select({ count: count() }).from(teamSeat).where(eq(teamSeat.ownerId, userId))
  return {
    plan: planOf(publication, plan),
    price,
    people: 1 + (members?.count ?? 0),
    seats: row.quantity,
    hasDiscount: subscription.discounts.length > 0,
    onSale: plansOnSale(publication),
  }
}
