import { and, between, like } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { rateLimits } from '#server/db/schema/index.ts'
import { accountKey } from './account-counters.ts'

/**
 * Counters and known client addresses are kept under keys that begin with the account. After a deletion they are removed apart
 * from it, since a sign-in locks them in another order, and expire by themselves if this never comes to pass.
 */
export async function forgetCounters(db: Db | Tx, userId: string): Promise<void> {
  const first = accountKey(userId, '')
  await db
    .delete(rateLimits)
    // Between bounds, since the index of a database with a language's order is of no use to `like`. What is counted
    // begins with a letter.
    .where(and(between(rateLimits.key, first, `${first}zzzz`), like(rateLimits.key, `${first}%`)))
}
