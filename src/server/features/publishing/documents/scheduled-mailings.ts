import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db, Tx } from '#server/db/database.ts'
import { queryRows } from '#server/db/query-rows.ts'
import type { scheduledMailingSchema } from '#shared/contracts/publishing/publishing.ts'
import { AppError } from '#shared/errors.ts'

const rowsSchema = z.array(
  z.object({ id: z.uuid(), subject: z.string(), scheduledAt: z.coerce.date().nullable() }).transform((row) => ({
    ...row,
    scheduledAt: row.scheduledAt?.toISOString() ?? null,
  })),
)
type ScheduledMailing = z.output<typeof scheduledMailingSchema>

/** Scheduled mailings that contain an issue, next one first: its own mailing, and digests with one of its sections. */
export async function listScheduledMailings(db: Db | Tx, issueId: string): Promise<ScheduledMailing[]> {
  const rows = await queryRows(
    db,
    sql`select m.id::text as id, m.subject, m.scheduled_at as "scheduledAt" from mailings m
      join issues i on i.id = ${issueId}
      where m.status in ('scheduled', 'preparing')
        and (m.issue_id = i.id or strpos(m.content::text, '"/portal/weekly-drops/' || i.slug || '#') > 0)
      order by m.scheduled_at nulls first, m.id`,
  )
  return rowsSchema.parse(rows)
}

/** @throws AppError mailing_scheduled with `mailings` unless all of them are acknowledged: they won't be sent without the issue */
export async function requireAcknowledged(tx: Tx, issueId: string, acknowledged: readonly string[]): Promise<void> {
  const mailings = await listScheduledMailings(tx, issueId)
  if (mailings.some(({ id }) => !acknowledged.includes(id)))
    throw new AppError('mailing_scheduled', { extra: { mailings } })
}
