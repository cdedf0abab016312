import { eq } from 'drizzle-orm'
import { redactAuthor } from '#server/db/account-rows.ts'
import type { Tx } from '#server/db/database.ts'
import { flowState, users } from '#server/db/schema/index.ts'
import type { AccountHook } from '#server/feature.ts'

type DeleteDeps = { onAccountDeleted: AccountHook }

/**
 * Deletes an account with all that hangs on it: sessions, factors, passkeys and everything the product keeps about it.
 * The staff log alone stays, and the job that closes the billing account exists if and only if the deletion commits.
 * @returns false when there is no such user (any more)
 */
export async function deleteUser(tx: Tx, deps: DeleteDeps, userId: string): Promise<boolean> {
  const [user] = await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
  if (!user) return false
  await deleteWhatNoKeyDeletes(tx, deps, userId)
  await tx.delete(users).where(eq(users.id, userId))
  return true
}

/** Everything about the account that isn't tied to its row by a foreign key. */
export async function deleteWhatNoKeyDeletes(tx: Tx, deps: DeleteDeps, userId: string): Promise<void> {
  await deps.onAccountDeleted(tx, userId)
  await redactAuthor(tx, userId)
  await tx.delete(flowState).where(eq(flowState.userId, userId))
}
