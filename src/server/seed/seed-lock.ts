import { sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'

/** Advisory lock number; no other lock of this database uses it. */
const seedLock = 7_340_312

/** Runs `work` in a transaction that only one node can be in, so that nodes starting together don't seed twice. */
export const withSeedLock = <T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> =>
  db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${seedLock})`)
    return work(tx)
  })
