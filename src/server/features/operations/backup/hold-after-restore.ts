import { eq } from 'drizzle-orm'
import { z } from 'zod'
import type { CopySession } from '#server/db/copy-session.ts'
import type { Db } from '#server/db/database.ts'
import { restoreHold, statementsOnHold } from '#server/db/restore-hold.ts'
import { publicationSettings } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'

const holdSchema = z.object({
  backupAt: z.iso.datetime(),
  restoredAt: z.iso.datetime(),
  from: z.enum(['backup', 'archive']).default('backup'),
})

/**
 * Runs in the restore's transaction. Puts automatic email on hold, pauses mailings that may have gone on after the backup,
 * and marks follow-ups and emails about assignments as done that may have been sent since.
 */
export async function holdAutomaticEmail(session: CopySession, backupAt: string): Promise<void> {
  const restoredAt = new Date().toISOString()
  await session.query(
    `insert into publication_settings (name, value, updated_at) values ($1, $2::jsonb, $3)
     on conflict (name) do update set value = excluded.value, updated_at = excluded.updated_at`,
    [restoreHold, JSON.stringify({ backupAt, restoredAt }), restoredAt],
  )
  await session.execute(`
    update mailings set status = 'paused', pause_reason = 'restored', updated_at = now()
      where status in ('preparing', 'sending') or (status = 'scheduled' and scheduled_at <= now());
    ${statementsOnHold.join(';\n')}`)
}

/** Null unless automatic email is on hold. */
export async function readHold(db: Db): Promise<z.infer<typeof holdSchema> | null> {
  const [row] = await db
    .select({ value: publicationSettings.value })
    .from(publicationSettings)
    .where(eq(publicationSettings.name, restoreHold))
  return row ? holdSchema.parse(row.value) : null
}

/** Lets automatic email go out again. Does nothing if it isn't on hold. */
export async function releaseHold({ database, clock }: Pick<Deps, 'database' | 'clock'>, who: Actor): Promise<void> {
  await database.db.transaction(async (tx) => {
    const released = await tx
      .delete(publicationSettings)
      .where(eq(publicationSettings.name, restoreHold))
      .returning({ name: publicationSettings.name })
    if (released.length > 0) await recordAdminEvent(tx, who, { event: 'automatic_email_resumed', now: clock() })
  })
}
