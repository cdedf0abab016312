import { eq } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { users } from '#server/db/schema/index.ts'
import type { AccountHook, Deps } from '#server/feature.ts'
import { tryDailyEmailLimit } from '#server/features/identity/auth/limits/email-limits.ts'
import { deleteUserCounters } from '#server/features/identity/auth/limits/rate-limit-counters.ts'
import type { Actor } from '#server/features/identity/auth/security/admin-event.ts'
import { recordDeletion } from '#server/features/identity/auth/security/record-deletion.ts'
import { deleteUser } from '#server/features/identity/auth/users/delete-user.ts'
import { readStaffPosition } from '#server/features/identity/auth/users/staff-roles.ts'
import type { Principal } from '#server/http/principal.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { accountDeletedEmail } from '#server/mail/texts/account-emails.ts'
import { normalizeEmail } from '#shared/domain/email-address.ts'
import { AppError } from '#shared/errors.ts'

export type DeleteDeps = Pick<Deps, 'config' | 'clock' | 'secrets' | 'enqueue'> & {
  onAccountDeleted: AccountHook
}

/**
 * Deletes a member's account as the member could. The same transaction queues the cancellation of the subscription.
 * Deleting twice changes nothing.
 * @throws AppError confirmation_mismatch; validation_failed for accounts of the staff
 */
export async function deleteMember(
  deps: DeleteDeps & Pick<Deps, 'database'>,
  who: Principal,
  { userId, typedEmail }: { userId: string; typedEmail: string },
): Promise<Record<string, never>> {
  if (userId === who.userId) throw refused('This is your own account. Delete it under Account.')
  const { db } = deps.database
  await db.transaction(async (tx) => {
    const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
    if (!user || user.deletedAt) return
    if (await readStaffPosition(tx, userId)) {
      throw refused('This account belongs to the staff. Remove them from the staff first, under Settings.')
    }
    const email = user.email ?? ''
    if (normalizeEmail(typedEmail) !== email) {
      throw new AppError('confirmation_mismatch', {
        message: 'The address doesn’t match this member. Check it and try again.',
      })
    }
    await removeAccount(tx, deps, who, user)
  })
  await deleteUserCounters(db, userId)
  return {}
}

/** The same for one of many members. Returns false for an account of the staff, or one that no longer exists. */
export async function deleteUnlessStaff(tx: Tx, deps: DeleteDeps, who: Actor, userId: string): Promise<boolean> {
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
  if (!user || user.deletedAt || (await readStaffPosition(tx, userId))) return false
  await removeAccount(tx, deps, who, user)
  await deleteUserCounters(tx, userId)
  return true
}

/** Deletes an account that may be deleted, and tells its confirmed address. */
export async function removeAccount(
  tx: Tx,
  deps: DeleteDeps,
  who: Pick<Actor, 'email' | 'userId'>,
  user: typeof users.$inferSelect,
) {
  const { id: userId } = user
  const email = user.email ?? ''
  await deleteUser(tx, deps, userId)
  const now = deps.clock()
  const isConfirmed = user.emailConfirmedAt !== null
  await recordDeletion(tx, deps, { userId, email, isConfirmed, by: who.email, actorId: who.userId, now })
  if (isConfirmed && (await tryDailyEmailLimit(tx, 'farewell', email, now)))
    await deps.enqueue(tx, emailJob, { ...accountDeletedEmail({ to: email, config: deps.config }), isUnlogged: true })
}

const refused = (message: string) => new AppError('validation_failed', { message })
