import { sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'

/** Any number that no other use of advisory locks in this database takes. */
const seedLock = 7_340_312

/** Seeds in one transaction, one node at a time: two that start at once both find what the first one wrote. */
export const inSeedTurn = <T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> =>
  db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${seedLock})`)
    return work(tx)
  })
