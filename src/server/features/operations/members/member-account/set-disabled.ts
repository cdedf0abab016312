import type { Deps } from '#server/feature.ts'
import { setAccountDisabled } from '#server/features/identity/auth/admin-api/set-account-disabled.ts'
import { requireManageable } from '#server/features/identity/auth/users/require-manageable.ts'
import { requireOtherOwner } from '#server/features/identity/auth/users/staff-roles.ts'
import { endInvalidViews } from '#server/features/identity/view-as/view-as.ts'
import type { Caller } from '#server/http/principal.ts'
import { AppError } from '#shared/errors.ts'

type Wanted = { userId: string; disabled: boolean; reason?: string | null }

/**
 * Disables or enables an account.
 * @throws AppError validation_failed for your own account, staff_account, last_owner, not_found
 */
export async function setDisabled(
  deps: Pick<Deps, 'config' | 'database' | 'clock' | 'enqueue'>,
  who: Caller,
  { userId, disabled, reason }: Wanted,
) {
  if (userId === who.userId) {
    throw new AppError('validation_failed', { message: 'You can’t disable your own account' })
  }
  await deps.database.db.transaction(async (tx) => {
    await requireManageable(tx, who, userId)
    if (disabled) await requireOtherOwner(tx, userId, deps.clock())
    await setAccountDisabled(tx, deps, {
      userId,
      disabled,
      by: who.email,
      actorId: who.userId,
      reason,
      client: who.client,
      now: deps.clock(),
    })
    await endInvalidViews(tx, deps.clock())
  })
  return { userId, disabled }
}
