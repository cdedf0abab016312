import { eq } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { referral } from '#server/db/schema/index.ts'
import type { PersonReaders } from '#server/feature.ts'

export const exportedData: PersonReaders = { referrals: readReferrals }

/** The user's own referral and those of members whom they brought, without the other person. */
async function readReferrals(tx: Tx, userId: string) {
  const shared = { state: referral.state, createdAt: referral.createdAt, decidedAt: referral.decidedAt }
  const brought = await tx
    .select({ ...shared, cents: referral.referrerCents, currency: referral.referrerCurrency })
    .from(referral)
    .where(eq(referral.referrerId, userId))
  const own = await tx
    .select({ ...shared, reason: referral.reason, cents: referral.refereeCents, currency: referral.refereeCurrency })
    .from(referral)
    .where(eq(referral.refereeId, userId))
  return { brought, own }
}
