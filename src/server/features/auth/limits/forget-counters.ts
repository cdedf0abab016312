import type { Db, Tx } from '#server/db/database.ts'
import { rateLimits } from '#server/db/schema/index.ts'
import { countersOfUser } from './rate-limit-counters.ts'

/**
 * Counters and known client addresses are kept under keys that begin with the account. After a deletion they are removed apart
 * from it, since a sign-in locks them in another order, and expire by themselves if this never comes to pass.
 */
export async function deleteUserCounters(db: Db | Tx, userId: string): Promise<void> {
  await db.delete(rateLimits).where(countersOfUser(userId))
}
