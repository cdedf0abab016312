import type { Tx } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'
import { lockOwners, readActiveRole } from '#server/features/identity/auth/users/staff-roles.ts'
import { endInvalidViews } from '#server/features/identity/view-as/view-as.ts'
import type { Caller } from '#server/http/principal.ts'
import { AppError } from '#shared/errors.ts'

export type StaffDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'enqueue'>

/**
 * Runs a change of the staff under a lock on all owners, so that concurrent changes happen one after the other. Someone
 * who isn't an owner anymore when their turn comes changes nothing. Views of members end with the role.
 * @throws AppError role_not_allowed
 */
export async function changeStaff<T>(
  deps: StaffDeps,
  who: Caller,
  change: (tx: Tx, now: Date) => Promise<T>,
): Promise<T> {
  return deps.database.db.transaction(async (tx) => {
    await lockOwners(tx)
    const now = deps.clock()
    const role = await readActiveRole(tx, who.userId, now)
    if (role !== 'owner') throw new AppError('role_not_allowed', { extra: { role } })
    const changed = await change(tx, now)
    await endInvalidViews(tx, now)
    return changed
  })
}
