import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Db, queryRows, type Tx } from '#server/db/database.ts'
import { contentDocument, contentSchedule } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { createdBy, type Editor } from '#server/features/identity/auth/security/editor.ts'
import { errorsIn } from '#shared/contracts/publishing/publishable.ts'
import type { StoredDocument, scheduledMailingSchema } from '#shared/contracts/publishing/publishing.ts'
import { changesBetween } from '#shared/domain/changed-fields.ts'
import { problemOfPublishTime } from '#shared/domain/check-schedule-time.ts'
import { AppError } from '#shared/errors.ts'
import { checkDocument } from './check-document.ts'
import { moveDropEmail, withdrawDropEmail } from './drop-email.ts'
import {
  auditObjectOf,
  type DocumentKey,
  type DocumentRow,
  isDocument,
  lockDocument,
  requireCurrentVersion,
  toStoredDocument,
} from './stored-document.ts'

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

type ScheduleDeps = Pick<Deps, 'database' | 'clock'>

export const isScheduleOf = ({ kind, id }: DocumentKey) =>
  and(eq(contentSchedule.kind, kind), eq(contentSchedule.id, id))

/**
 * Schedules this version. Later edits aren't included unless it is scheduled again.
 * @throws AppError not_publishable with `problems`; validation_failed for the time; edit_conflict; not_found
 */
export async function scheduleDocument(
  { database, clock }: ScheduleDeps,
  editor: Editor,
  wanted: ScheduleInput,
): Promise<StoredDocument> {
  return database.db.transaction(async (tx) => {
    const now = clock()
    const row = await writeSchedule(tx, editor, wanted, now)
    // A drop's email moves to the drop's new time.
    if (wanted.kind === 'issue') {
      await moveDropEmail(tx, editor, { issueId: wanted.id, version: row.version, at: new Date(wanted.at), now })
    }
    return toStoredDocument(tx, { ...row, publishFailure: null })
  })
}

type ScheduleInput = DocumentKey & { version: number; at: string }

/**
 * Checks this version and schedules it, in a transaction of the caller. Returns the locked document.
 * @throws AppError as `scheduleDocument`
 */
export async function writeSchedule(
  tx: Tx,
  editor: Editor,
  { at, ...name }: ScheduleInput,
  now: Date,
): Promise<DocumentRow> {
  const publishAt = new Date(at)
  const row = await lockDocument(tx, name)
  await requireCurrentVersion(tx, row, name.version)
  const timeProblem = problemOfPublishTime(publishAt, now)
  if (timeProblem) throw new AppError('validation_failed', { message: timeProblem })
  const problems = errorsIn(await checkDocument(tx, name, row.document, { now, publishAt }))
  if (problems.length > 0) throw new AppError('not_publishable', { extra: { problems } })
  const before = await findSchedule(tx, name)
  const { version, document } = row
  const schedule = { version, document, publishAt, createdAt: now, ...createdBy(editor) }
  await tx
    .insert(contentSchedule)
    .values({ kind: name.kind, id: name.id, ...schedule })
    .onConflictDoUpdate({ target: [contentSchedule.kind, contentSchedule.id], set: schedule })
  await tx.update(contentDocument).set({ publishFailure: null }).where(isDocument(name))
  const changes = changesBetween(
    { publishAt: before?.publishAt.toISOString(), version: before?.version },
    { publishAt: publishAt.toISOString(), version },
  )
  await recordAdminEvent(tx, editor, { event: 'publishing_scheduled', object: auditObjectOf(row), changes, now })
  return row
}

/**
 * Cancels the schedule, or dismisses the failure of the last one. The email of a drop becomes a draft.
 * @throws AppError not_found
 */
export async function cancelSchedule(
  { database, clock }: ScheduleDeps,
  editor: Editor,
  name: DocumentKey,
): Promise<StoredDocument> {
  return database.db.transaction(async (tx) => {
    const row = await lockDocument(tx, name)
    const canceled = await clearSchedule(tx, name)
    if (canceled) {
      if (name.kind === 'issue') await withdrawDropEmail(tx, editor, { issueId: name.id, now: clock() })
      const changes = changesBetween({ publishAt: canceled.publishAt.toISOString() }, {})
      await recordAdminEvent(tx, editor, {
        event: 'publishing_canceled',
        object: auditObjectOf(row),
        changes,
        now: clock(),
      })
    } else if (row.publishFailure !== null) {
      await recordAdminEvent(tx, editor, {
        event: 'publishing_alert_dismissed',
        object: auditObjectOf(row),
        now: clock(),
      })
    }
    return toStoredDocument(tx, { ...row, publishFailure: null })
  })
}

export async function findSchedule(db: Db | Tx, name: DocumentKey) {
  const [row] = await db.select().from(contentSchedule).where(isScheduleOf(name))
  return row ?? null
}

/** Deletes the schedule and the failure of an earlier one. Returns the deleted schedule. */
export async function clearSchedule(tx: Tx, name: DocumentKey) {
  const [row] = await tx.delete(contentSchedule).where(isScheduleOf(name)).returning()
  await tx.update(contentDocument).set({ publishFailure: null }).where(isDocument(name))
  return row ?? null
}
