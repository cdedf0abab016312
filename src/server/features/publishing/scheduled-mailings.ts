import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db, Tx } from '#server/db/database.ts'
import { queryRows } from '#server/db/query-rows.ts'
import type { scheduledMailingSchema } from '#shared/contracts/publishing.ts'
import { AppError } from '#shared/errors.ts'

const rowsSchema = z.array(
  z.object({ id: z.uuid(), subject: z.string(), scheduledAt: z.coerce.date().nullable() }).transform((row) => ({
    ...row,
    scheduledAt: row.scheduledAt?.toISOString() ?? null,
  })),
)
type ScheduledMailing = z.output<typeof scheduledMailingSchema>

/** Mailings that wait to be sent with a drop in them, the next one first: its own, and digests that hold a part of it. */
export async function listScheduledMailings(db: Db | Tx, dropId: string): Promise<ScheduledMailing[]> {
  const rows = await queryRows(
    db,
    sql`select m.id::text as id, m.subject, m.scheduled_at as "scheduledAt" from mailings m
      join issues i on i.id = ${dropId}
      where m.status in ('scheduled', 'preparing')
        and (m.issue_id = i.id or strpos(m.content::text, '"/portal/weekly-drops/' || i.slug || '#') > 0)
      order by m.scheduled_at nulls first, m.id`,
  )
  return rowsSchema.parse(rows)
}

/**
 * Whoever takes a drop away is told first which mailings won't go out without it.
 * @throws AppError mailing_scheduled with `mailings` unless each of them is named in `despite`
 */
export async function requireAcknowledged(tx: Tx, dropId: string, despite: readonly string[]): Promise<void> {
  const mailings = await listScheduledMailings(tx, dropId)
  if (mailings.some(({ id }) => !despite.includes(id))) throw new AppError('mailing_scheduled', { extra: { mailings } })
}
