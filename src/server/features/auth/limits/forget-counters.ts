import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/database.ts'
import { rateLimits } from '#server/db/schema/index.ts'

/**
 * Counters and known client addresses are kept under keys that name the user. After a deletion they are removed apart
 * from it, since a sign-in locks them in another order, and expire by themselves if this never comes to pass.
 */
export async function forgetCounters(db: Db, userId: string): Promise<void> {
  await db.delete(rateLimits).where(sql`${rateLimits.key} like ${`%:${userId}%`}`)
}
