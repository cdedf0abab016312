import { and, eq, gt } from 'drizzle-orm'
import Stripe from 'stripe'
import { offer as offerTable, revenueInvoice } from '#server/db/schema/index.ts'
import type { PlanKey } from '#shared/domain/plans.ts'
import { AppError } from '#shared/errors.ts'
import type { BillingDeps } from '../billing-deps.ts'
import { findOffer, type OfferRow, plansOfOffer, stateOfOffer, withTotals } from './offer-rows.ts'
import { refreshOffer } from './refresh-offers.ts'

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
