import { and, eq } from 'drizzle-orm'
import { users } from '#server/db/schema/index.ts'
import type { AuthDeps } from '../auth-deps.ts'

type RehashDeps = Pick<AuthDeps, 'database' | 'hasher' | 'logger'>

/**
 * Rehashes a password in the background if its hash is outdated. A failure is only logged; the next sign-in tries again.
 * A password that has changed meanwhile isn't overwritten.
 */
export function rehashInBackground(
  deps: RehashDeps,
  account: { id: string; storedHash: string },
  password: string,
): void {
  if (!deps.hasher.isOutdated(account.storedHash)) return
  rehash(deps, account, password).catch((error: unknown) => {
    deps.logger.warn({ err: error }, 'password not rehashed')
  })
}

async function rehash({ database, hasher }: RehashDeps, account: { id: string; storedHash: string }, password: string) {
  const encryptedPassword = await hasher.hash(password)
  await database.db
    .update(users)
    .set({ encryptedPassword })
    .where(and(eq(users.id, account.id), eq(users.encryptedPassword, account.storedHash)))
}
