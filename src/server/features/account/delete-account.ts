import { normalizeEmail } from '#server/features/auth/email-flows/email-address.ts'
import { tryDailyEmailLimit } from '#server/features/auth/limits/email-limits.ts'
import { deleteUserCounters } from '#server/features/auth/limits/rate-limit-counters.ts'
import { recordDeletion } from '#server/features/auth/security/record-deletion.ts'
import { requireStepUp } from '#server/features/auth/security/step-up.ts'
import { deleteUser, type OnAccountDeleted } from '#server/features/auth/users/delete-user.ts'
import type { Principal } from '#server/http/principal.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { accountDeletedEmail } from '#server/mail/texts/account-emails.ts'
import { AppError } from '#shared/errors.ts'
import type { AccountDeps } from './account-deps.ts'

/**
 * Deletes the account of whoever asks, with everything that hangs on it. The end of its subscription is a job of the
 * same transaction, so that nobody is charged for an account that is gone. A second click, or a second tab, finds
 * nothing to do.
 * @throws AppError confirmation_mismatch, step_up_required
 */
export async function deleteAccount(
  deps: AccountDeps & { onAccountDeleted: OnAccountDeleted },
  who: Principal,
  typedEmail: string,
): Promise<{ deleted: true }> {
  if (normalizeEmail(typedEmail) !== who.email) throw new AppError('confirmation_mismatch')
  // Who has never said who they are has nothing to prove it with: their session is all there is.
  if (!who.isAnonymous) await requireStepUp(deps, who)
  const { db } = deps.database
  await db.transaction(async (tx) => {
    if (!(await deleteUser(tx, deps, who.userId))) return
    const now = deps.clock()
    const { userId, email, emailConfirmed: isConfirmed } = who
    await recordDeletion(tx, deps, { userId, email, isConfirmed, now })
    if (who.email && (await tryDailyEmailLimit(tx, 'farewell', who.email, now)))
      await deps.enqueue(tx, emailJob, accountDeletedEmail({ to: who.email }))
  })
  await deleteUserCounters(db, who.userId)
  return { deleted: true }
}
