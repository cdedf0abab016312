import { eq, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from './database.ts'
import { publicationSettings } from './schema/index.ts'

/**
 * After a restore or the import of an archive, nothing leaves this instance on its own until an owner resumes it: email,
 * webhooks and changes at Stripe. Some of it may have happened since, and the original may still run. The setting contains
 * `{ backupAt, restoredAt, from }`.
 */
export const restoreHold = 'restore-hold'

/** Condition for statements that find email to send. */
export const notOnHold = sql`not exists (select 1 from publication_settings hold where hold.name = ${restoreHold})`

/** False for work that began before the restore, which may have been done since. */
export const notHeldSince = (createdAt: SQL | SQL.Aliased) => sql`not exists (
  select 1 from publication_settings hold where hold.name = ${restoreHold} and hold.updated_at >= ${createdAt})`

/**
 * What may have happened since the copy was made: emails about assignments and replies that were waiting are over, series
 * pause before their next step, and follow-ups count as asked.
 */
export const statementsOnHold = [
  "update comment set told_at = now() where told_at is null and parent_id is not null and state = 'visible'",
  'update assignment_notice set handled_at = now() where handled_at is null',
  "update series set status = 'paused', updated_at = now() where status = 'on'",
  `update tries set asked_at = now()
    where answered_at is null and removed_at is null and asked_at is null
      and started_at between now() - interval '36 days' and now() - interval '7 days'`,
]

export async function isOnHold(db: Db | Tx): Promise<boolean> {
  const rows = await db
    .select({ name: publicationSettings.name })
    .from(publicationSettings)
    .where(eq(publicationSettings.name, restoreHold))
  return rows.length > 0
}
