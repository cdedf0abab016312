import { randomUUID } from 'node:crypto'
import { and, desc, eq, gt, isNull, or } from 'drizzle-orm'
import type Stripe from 'stripe'
import type { Tx } from '#server/db/database.ts'
import { retentionOffer, subscriptionState } from '#server/db/schema/index.ts'
import { hourMs } from '#shared/domain/durations.ts'
import type { BillingDeps } from '../billing-deps.ts'
import { planOfProduct } from '../stripe/plan-ids.ts'
import type { CancelReason, FittingOffer } from './fitting-offer.ts'
import { hasStayDiscount } from './stay-discount.ts'

type SubscriptionRow = typeof subscriptionState.$inferSelect
export type RetentionOfferRow = typeof retentionOffer.$inferSelect

const dayMs = 24 * hourMs
/** How long an offer can be taken, and replaced by another one if the member changes the answer. */
const openMs = dayMs
const betweenOffersMs = 365 * dayMs
/** A webhook that was lost is found within a day. */
const countedAsTakenMs = openMs + 2 * dayMs

/** Returns true if the offer can still be taken. */
export const isOpen = ({ offeredAt, takenAt }: RetentionOfferRow, now: Date): boolean =>
  takenAt === null && now.getTime() - offeredAt.getTime() < openMs

type Offering = { userId: string; subscriptionId: string; reason: CancelReason; offer: FittingOffer; now: Date }

/**
 * Records the offer, or returns null if the member or the subscription, which may have had another owner, had one in the
 * last year. An open one is replaced, so that the answer
 * of two tabs and a changed answer are still one offer.
 */
export async function recordOffer(
  { database }: Pick<BillingDeps, 'database'>,
  { userId, subscriptionId, reason, offer, now }: Offering,
): Promise<RetentionOfferRow | null> {
  return database.db.transaction(async (tx) => {
    // Tabs that ask at the same time wait for each other.
    await tx.select().from(subscriptionState).where(eq(subscriptionState.userId, userId)).for('update')
    const [last] = await tx
      .select()
      .from(retentionOffer)
      .where(or(eq(retentionOffer.userId, userId), eq(retentionOffer.subscriptionId, subscriptionId)))
      .orderBy(desc(retentionOffer.offeredAt))
      .limit(1)
    const values = { userId, subscriptionId, reason, kind: offer.kind, plan: offer.plan }
    if (last && isOpen(last, now)) {
      const [changed] = await tx.update(retentionOffer).set(values).where(eq(retentionOffer.id, last.id)).returning()
      return changed ?? null
    }
    if (last && now.getTime() - last.offeredAt.getTime() < betweenOffersMs) return null
    const [added] = await tx
      .insert(retentionOffer)
      .values({ id: randomUUID(), offeredAt: now, ...values })
      .returning()
    return added ?? null
  })
}

type Change = { before: SubscriptionRow | null; after: SubscriptionRow; subscription: Stripe.Subscription | null }

/**
 * Marks the member's offer as taken when the subscription shows it, in the transaction that writes the row. So it is
 * counted once, also if the server stopped after Stripe's answer, and when webhooks come in any order.
 */
export async function markTakenOffer(
  tx: Tx,
  deps: Pick<BillingDeps, 'config' | 'clock'>,
  change: Change,
): Promise<void> {
  const { userId, stripeSubscriptionId: subscriptionId } = change.after
  const shown = shownChange(deps, change)
  if (!shown || !subscriptionId) return
  const now = change.after.testClockTime ?? deps.clock()
  await tx
    .update(retentionOffer)
    .set({ takenAt: now })
    .where(
      and(
        eq(retentionOffer.userId, userId),
        eq(retentionOffer.subscriptionId, subscriptionId),
        isNull(retentionOffer.takenAt),
        gt(retentionOffer.offeredAt, new Date(now.getTime() - countedAsTakenMs)),
        shown === 'discount' || shown === 'pause'
          ? eq(retentionOffer.kind, shown)
          : eq(retentionOffer.plan, shown.plan),
      ),
    )
}

function shownChange({ config }: Pick<BillingDeps, 'config'>, { before, after, subscription }: Change) {
  if (!before || before.stripeSubscriptionId !== after.stripeSubscriptionId) return null
  if (!before.pauseStartsAt && after.pauseStartsAt) return 'pause'
  if (before.productId !== after.productId) {
    const plan = planOfProduct(config, after.productId)
    return plan ? { plan } : null
  }
  return subscription && hasStayDiscount(subscription) ? 'discount' : null
}

/** The words are the member's own, so they go with the account. Reasons and figures stay. */
export const removeOfferComments = (tx: Tx, userId: string) =>
  tx.update(retentionOffer).set({ comment: null }).where(eq(retentionOffer.userId, userId))
