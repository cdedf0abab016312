import { and, eq, gt, isNotNull, isNull } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { renewalOffer } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { findCustomerId } from '#server/features/billing/subscriptions/customers/stripe-customer-ids.ts'
import { giveCredit } from '#server/features/billing/subscriptions/member-billing/balance-credit.ts'
import { describeFailure } from '#server/features/billing/subscriptions/stripe/stripe-errors.ts'
import { withLease } from '#server/features/billing/subscriptions/sync/lease.ts'
import { findSubscriptionRow } from '#server/features/billing/subscriptions/sync/subscription-row.ts'
import type { Caller } from '#server/http/principal.ts'
import { AppError } from '#shared/errors.ts'
import { monthOf, type ReferralDeps, readReferralSettings } from './referrals.ts'
import { lastPaidMonth } from './reward-referrals.ts'

/** Offers a free month until the renewal, once for each. @returns false unless the publisher turned it on */
export async function offerFreeMonth(
  deps: Pick<Deps, 'config' | 'clock'>,
  tx: Tx,
  { userId, renewsAt }: { userId: string; renewsAt: Date },
): Promise<boolean> {
  const { settings } = await readReferralSettings(tx)
  const month = monthOf(deps, await findSubscriptionRow(tx, userId))
  if (!settings.renewalMonth || !month) return false
  await tx
    .insert(renewalOffer)
    .values({ id: crypto.randomUUID(), userId, renewsAt, ...month, createdAt: deps.clock() })
    .onConflictDoNothing()
  return true
}

const openOffer = (userId: string, now: Date) =>
  and(eq(renewalOffer.userId, userId), isNull(renewalOffer.takenAt), gt(renewalOffer.renewsAt, now))

export async function findFreeMonth({ clock }: Pick<Deps, 'clock'>, db: Db | Tx, userId: string) {
  const [offer] = await db
    .select({ cents: renewalOffer.cents, currency: renewalOffer.currency })
    .from(renewalOffer)
    .where(openOffer(userId, clock()))
  return offer ?? null
}

/**
 * Takes the offered month as credit at Stripe: a month's price, and at most what was really paid for one.
 * @throws AppError not_found without an open offer, also for the second click
 */
export async function takeFreeMonth(deps: ReferralDeps, who: Caller): Promise<{ cents: number; currency: string }> {
  const { db } = deps.database
  const customerId = await findCustomerId(db, who.userId)
  const offer = await findFreeMonth(deps, db, who.userId)
  if (!offer || !customerId) throw new AppError('not_found')
  const cents = Math.min(offer.cents, await lastPaidMonth(deps, customerId))
  const now = deps.clock()
  const [taken] = await db
    .update(renewalOffer)
    .set({ takenAt: now, customerId, cents })
    .where(openOffer(who.userId, now))
    .returning()
  if (!taken) throw new AppError('not_found')
  await settleFreeMonths(deps)
  return { cents, currency: taken.currency }
}

/** Writes taken months to Stripe. A failed one is tried again by the next run of the job. */
export async function settleFreeMonths(deps: ReferralDeps): Promise<void> {
  const isOpen = and(isNotNull(renewalOffer.takenAt), isNull(renewalOffer.creditId), gt(renewalOffer.cents, 0))
  const { db } = deps.database
  for (const { id, customerId, cents, currency } of await db.select().from(renewalOffer).where(isOpen).limit(200)) {
    if (!customerId) continue
    const texts = { kind: 'renewal_month', description: 'Free month before the renewal' }
    const credit = { customer: customerId, cents, currency, owner: { renewal_offer_id: id }, give: texts, take: texts }
    await withLease(deps, `balance:${customerId}`, async () => {
      const given = await giveCredit(deps.stripe, credit)
      await db
        .update(renewalOffer)
        .set({ creditId: given?.id ?? 'customer deleted' })
        .where(eq(renewalOffer.id, id))
    }).catch((error: unknown) =>
      deps.logger.warn({ offerId: id, ...describeFailure(error) }, 'credit of a free month failed; it is tried again'),
    )
  }
}
