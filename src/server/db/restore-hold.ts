import { eq, sql } from 'drizzle-orm'
import type { Db, Tx } from './database.ts'
import { publicationSettings } from './schema/index.ts'

/**
 * After a restore, automatic email is on hold until an owner resumes it: some of it may have been sent after the backup was
 * made. The setting contains `{ backupAt, restoredAt }`.
 */
export const restoreHold = 'restore-hold'

/** Condition for statements that find email to send. */
export const notOnHold = sql`not exists (select 1 from publication_settings hold where hold.name = ${restoreHold})`

export async function isOnHold(db: Db | Tx): Promise<boolean> {
  const rows = await db
    .select({ name: publicationSettings.name })
    .from(publicationSettings)
    .where(eq(publicationSettings.name, restoreHold))
  return rows.length > 0
}
