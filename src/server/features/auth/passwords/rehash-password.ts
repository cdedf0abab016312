import { and, eq } from 'drizzle-orm'
import { users } from '#server/db/schema/index.ts'
import type { AuthDeps } from '../auth-deps.ts'

type RehashDeps = Pick<AuthDeps, 'database' | 'hasher' | 'logger'>

/**
 * Brings a hash from elsewhere, or of an older cost, up to ours while the password is at hand. Nobody waits for it and
 * nothing depends on it: the next sign-in tries again. A password changed meanwhile stays changed.
 */
export function rehashInBackground(
  deps: RehashDeps,
  account: { id: string; storedHash: string },
  password: string,
): void {
  if (!deps.hasher.isOutdated(account.storedHash)) return
  rehash(deps, account, password).catch((error: unknown) => {
    deps.logger.warn({ err: error }, 'a password hash was not renewed')
  })
}

async function rehash({ database, hasher }: RehashDeps, account: { id: string; storedHash: string }, password: string) {
  const encryptedPassword = await hasher.hash(password)
  await database.db
    .update(users)
    .set({ encryptedPassword })
    .where(and(eq(users.id, account.id), eq(users.encryptedPassword, account.storedHash)))
}
