import { and, eq, ne } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { complimentaryAccess } from '#server/db/schema/index.ts'
import { giveAccess, takeAccess } from '#server/features/billing/subscriptions/access/complimentary-access.ts'
import { lockUser } from '#server/features/identity/auth/users/lock-user.ts'
import { giftWithdrawnEmail } from '#server/mail/texts/gift-emails.ts'
import { addMonths } from '#shared/domain/add-months.ts'
import { isForGood } from '#shared/domain/entitlement.ts'
import type { GiftDeps, GiftRow } from './gift-links.ts'

/** Who access by gifts is attributed to in the log. */
export const giftActor = { userId: '', email: 'Gift' }

/**
 * Takes back the access of a claimed gift whose payment was refunded or disputed: its months, so that what another gift added stays.
 * Access that staff have changed since is theirs to end. A credit is taken back by the job (`gift-credit.ts`).
 * @returns the seconds of access that it took, or null for none
 */
export async function withdrawGift(tx: Tx, deps: GiftDeps, row: GiftRow): Promise<number | null> {
  const userId = row.claimedBy
  if (!userId || row.outcome !== 'access') return null
  const [member] = await lockUser(tx, userId)
  const [access] = await tx
    .select()
    .from(complimentaryAccess)
    .where(and(eq(complimentaryAccess.userId, userId), ne(complimentaryAccess.source, 'staff')))
  if (!access || !member?.email || isForGood(access.until)) return null
  const now = deps.clock()
  // After a won dispute, it has only what that one gave back.
  const isGivenBack = row.wonDisputeId !== null && row.withdrawnSeconds !== null
  const until = isGivenBack
    ? new Date(access.until.getTime() - (row.withdrawnSeconds ?? 0) * 1000)
    : addMonths(access.until, -row.months)
  const email = giftWithdrawnEmail({ to: member.email, config: deps.config })
  if (until <= now) await takeAccess(tx, deps, giftActor, { userId, now, email })
  else await giveAccess(tx, deps, giftActor, { userId, until, note: access.note, now, source: 'gift', email })
  const taken = access.until.getTime() - Math.max(now.getTime(), until.getTime())
  return taken > 0 ? Math.round(taken / 1000) : null
}
