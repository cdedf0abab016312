import type { AccountHook } from '#server/feature.ts'
import { tryDailyEmailLimit } from '#server/features/identity/auth/limits/email-limits.ts'
import { deleteUserCounters } from '#server/features/identity/auth/limits/rate-limit-counters.ts'
import { recordDeletion } from '#server/features/identity/auth/security/record-deletion.ts'
import { requireStepUp } from '#server/features/identity/auth/security/step-up.ts'
import { deleteUser } from '#server/features/identity/auth/users/delete-user.ts'
import { requireOtherOwner } from '#server/features/identity/auth/users/staff-roles.ts'
import type { Principal } from '#server/http/principal.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { accountDeletedEmail } from '#server/mail/texts/account-emails.ts'
import { normalizeEmail } from '#shared/domain/email-address.ts'
import { AppError } from '#shared/errors.ts'
import type { AccountDeps } from './account-sessions.ts'

/**
 * Deletes the user's account and everything that belongs to it. The same transaction queues the cancellation of the
 * subscription, so a deleted account is never charged. Deleting twice is harmless.
 * @throws AppError confirmation_mismatch, step_up_required, last_owner
 */
export async function deleteAccount(
  deps: AccountDeps & { onAccountDeleted: AccountHook },
  who: Principal,
  typedEmail: string,
): Promise<{ deleted: true }> {
  if (normalizeEmail(typedEmail) !== who.email) throw new AppError('confirmation_mismatch')
  // An anonymous user has no credential to confirm with.
  if (!who.isAnonymous) await requireStepUp(deps, who)
  const { db } = deps.database
  await db.transaction(async (tx) => {
    const now = deps.clock()
    await requireOtherOwner(tx, who.userId, now)
    if (!(await deleteUser(tx, deps, who.userId))) return
    const { userId, email, emailConfirmed: isConfirmed } = who
    await recordDeletion(tx, deps, { userId, email, isConfirmed, now })
    if (who.email && (await tryDailyEmailLimit(tx, 'farewell', who.email, now)))
      await deps.enqueue(tx, emailJob, {
        ...accountDeletedEmail({ to: who.email, config: deps.config }),
        isUnlogged: true,
      })
  })
  await deleteUserCounters(db, who.userId)
  return { deleted: true }
}
