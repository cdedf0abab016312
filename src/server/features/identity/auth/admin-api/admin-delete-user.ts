import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { deleteAccountRows } from '#server/db/account-rows.ts'
import type { Tx } from '#server/db/database.ts'
import { users } from '#server/db/schema/index.ts'
import type { AccountHook } from '#server/feature.ts'
import { AppError } from '#shared/errors.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { deleteUserCounters } from '../limits/rate-limit-counters.ts'
import { recordDeletion } from '../security/record-deletion.ts'
import { logOut } from '../sessions/log-out.ts'
import { deleteUser, deleteWhatNoKeyDeletes } from '../users/delete-user.ts'
import { operator } from './admin-save-user.ts'

type DeleteDeps = AuthDeps & { onAccountDeleted: AccountHook }

/**
 * Deletes a user. A soft delete keeps an anonymized row. Either way the subscription is canceled.
 * @throws AppError user_not_found (404)
 */
export async function adminDeleteUser(deps: DeleteDeps, userId: string, { soft }: { soft: boolean }): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    const now = deps.clock()
    const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
    if (!user) throw new AppError('user_not_found', { status: 404 })
    if (soft && user.deletedAt) return
    if (soft) await anonymizeUser(tx, deps, user, now)
    else await deleteUser(tx, deps, userId)
    if (user.deletedAt) return
    const isConfirmed = user.emailConfirmedAt !== null
    await recordDeletion(tx, deps, { userId, email: user.email ?? '', isConfirmed, by: operator, now })
  })
  await deleteUserCounters(deps.database.db, userId)
}

/** Replaces the address with a hash, which frees it for a new account. */
async function anonymizeUser(tx: Tx, deps: DeleteDeps, user: typeof users.$inferSelect, now: Date): Promise<void> {
  const userId = user.id
  const hashOf = (text: string) => createHash('sha256').update(`${userId}${text}`).digest('hex')
  await deleteWhatNoKeyDeletes(tx, deps, userId)
  await logOut(tx, { userId, sessionId: '' }, 'global')
  await deleteAccountRows(tx, userId)
  await tx
    .update(users)
    .set({
      email: user.email ? hashOf(user.email) : null,
      phone: user.phone ? hashOf(user.phone).slice(0, 15) : null,
      encryptedPassword: null,
      emailChange: null,
      phoneChange: '',
      rawUserMetaData: {},
      rawAppMetaData: {},
      deletedAt: now,
      updatedAt: now,
    })
    .where(eq(users.id, userId))
}
