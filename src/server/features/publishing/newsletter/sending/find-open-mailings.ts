import { and, eq, inArray, lte, or, sql } from 'drizzle-orm'
import type { Db } from '#server/db/database.ts'
import { notOnHold } from '#server/db/restore-hold.ts'
import { mailings } from '#server/db/schema/index.ts'

/** Ids of scheduled mailings whose time has come. */
export async function findDueMailings(db: Db, now: Date): Promise<string[]> {
  const due = await db
    .select({ id: mailings.id })
    .from(mailings)
    .where(and(eq(mailings.status, 'scheduled'), lte(mailings.scheduledAt, now), notOnHold))
  return due.map(({ id }) => id)
}

/** Mailings that a sender works on, oldest first: `preparing`, `sending`, or `stopped` with deliveries still pending. */
export const findOpenMailings = (db: Db) =>
  db
    .select({ id: mailings.id, status: mailings.status })
    .from(mailings)
    .where(or(and(inArray(mailings.status, ['preparing', 'sending']), notOnHold), unfinishedStop))
    .orderBy(mailings.startedAt, mailings.id)

/** A stopped mailing with pending deliveries, after a crash during the stop. */
const unfinishedStop = sql`(${mailings.status} = 'stopped' and exists (
  select 1 from deliveries d where d.mailing_id = ${mailings.id} and d.status = 'pending'))`
