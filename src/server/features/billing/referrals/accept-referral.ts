import { and, eq, isNotNull } from 'drizzle-orm'
import { billingCustomer, referral, revenueInvoice } from '#server/db/schema/index.ts'
import type { Principal } from '#server/http/principal.ts'
import { normalizeMailbox } from '#server/mail/normalize-mailbox.ts'
import { AppError } from '#shared/errors.ts'
import { findReferrer, type ReferralDeps } from './referral-links.ts'

/**
 * Notes that the caller came by a member's link. The first link counts; accepting again changes nothing. The free months
 * follow the first payment.
 * @throws AppError referral_invalid, referral_refused
 */
export async function acceptReferral(deps: ReferralDeps, who: Principal, token: string): Promise<void> {
  const { db } = deps.database
  const referrer = await findReferrer(deps, token)
  if (who.isAnonymous) throw new AppError('not_authenticated')
  if (referrer.id === who.userId || normalizeMailbox(referrer.email) === normalizeMailbox(who.email)) {
    throw new AppError('referral_refused', { message: 'This is your own invitation. Share it with someone else.' })
  }
  const [paid] = await db
    .select({ id: revenueInvoice.id })
    .from(billingCustomer)
    .innerJoin(revenueInvoice, eq(revenueInvoice.customerId, billingCustomer.stripeCustomerId))
    .where(and(eq(billingCustomer.userId, who.userId), isNotNull(revenueInvoice.paidAt)))
    .limit(1)
  if (paid || who.subscription?.status === 'active') {
    throw new AppError('referral_refused', {
      message: 'You’ve paid for a plan before. Invitations are for new members.',
    })
  }
  await db
    .insert(referral)
    .values({
      id: crypto.randomUUID(),
      referrerId: referrer.id,
      refereeId: who.userId,
      state: 'pending',
      createdAt: deps.clock(),
    })
    .onConflictDoNothing()
}
