import { eq } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { users } from '#server/db/schema/index.ts'
import { AppError } from '#shared/errors.ts'

/** Locks the user's row until the transaction ends, so that changes of one account happen one after the other. */
export const lockUser = (tx: Tx, userId: string) =>
  tx
    .select({ id: users.id, email: users.email, deletedAt: users.deletedAt })
    .from(users)
    .where(eq(users.id, userId))
    .for('no key update')

/**
 * The same, for a change that needs the account.
 * @throws AppError not_found, also for a deleted one
 */
export async function lockPresentUser(tx: Tx, userId: string) {
  const [user] = await lockUser(tx, userId)
  if (!user || user.deletedAt) throw new AppError('not_found')
  return user
}
