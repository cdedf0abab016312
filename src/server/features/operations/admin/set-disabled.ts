import type { Deps } from '#server/deps.ts'
import { setAccountDisabled } from '#server/features/identity/auth/admin-api/set-account-disabled.ts'
import { requireStepUp } from '#server/features/identity/auth/security/step-up.ts'
import { callerInfo } from '#server/features/identity/auth/sessions/client-info.ts'
import { requireManageable } from '#server/features/identity/auth/users/require-manageable.ts'
import { requireOtherOwner } from '#server/features/identity/auth/users/staff-roles.ts'
import { endInvalidViews } from '#server/features/identity/view-as/view-as.ts'
import type { Principal } from '#server/http/principal.ts'
import type { CallRequest } from '#server/http/product-calls.ts'
import { AppError } from '#shared/errors.ts'

type Wanted = { userId: string; disabled: boolean; reason?: string | null }

/**
 * Disables or enables an account.
 * @throws AppError validation_failed for your own account, step_up_required, staff_account, last_owner, not_found
 */
export async function setDisabled(
  deps: Pick<Deps, 'config' | 'database' | 'clock' | 'enqueue'>,
  who: Principal,
  { userId, disabled, reason }: Wanted,
  request: CallRequest,
) {
  if (userId === who.userId) {
    throw new AppError('validation_failed', { message: 'You can’t disable your own account' })
  }
  await requireStepUp(deps, who)
  await deps.database.db.transaction(async (tx) => {
    await requireManageable(tx, who, userId)
    if (disabled) await requireOtherOwner(tx, userId, deps.clock())
    await setAccountDisabled(tx, deps, {
      userId,
      disabled,
      by: who.email,
      actorId: who.userId,
      reason,
      client: callerInfo(request),
      now: deps.clock(),
    })
    await endInvalidViews(tx, deps.clock())
  })
  return { userId, disabled }
}
