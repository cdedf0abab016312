import { randomUUID } from 'node:crypto'
import { and, desc, eq, inArray, isNotNull, ne, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { mailings } from '#server/db/schema/index.ts'
import { recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { createdBy, type Editor } from '#server/features/identity/auth/security/editor.ts'
import { requireNewsletterInUse } from '#server/features/publishing/newsletters/read-newsletters.ts'
import { readSendingSettings } from '#server/features/publishing/sending-settings/sending-settings.ts'
import type { SendFailure } from '#shared/contracts/publishing/newsletter.ts'
import type { DropEmail } from '#shared/contracts/publishing/publishing.ts'
import { changesBetween } from '#shared/domain/changed-fields.ts'
import type { AuditObject } from '#shared/domain/security-events.ts'
import { subjectTestSchema, testWithHoursProblem } from '#shared/domain/subject-test.ts'
import { AppError } from '#shared/errors.ts'

/*
 * The email that is scheduled together with a drop: a scheduled mailing that waits until a version of the drop is
 * published. Its content is frozen then. Callers hold the lock of the document, so that two can't change it at once.
 */

const isWaiting = (issueId: string) =>
  and(
    eq(mailings.issueId, issueId),
    eq(mailings.kind, 'issue'),
    eq(mailings.status, 'scheduled'),
    isNotNull(mailings.waitsForVersion),
  )

const objectOf = ({ id, subject }: { id: string; subject: string }): AuditObject => ({
  kind: 'mailing',
  id,
  name: subject.trim() || 'No subject',
})

/** The email that waits for a drop, or null. */
export async function findDropEmail(db: Db | Tx, issueId: string) {
  const [row] = await db.select().from(mailings).where(isWaiting(issueId))
  return row ?? null
}

type Scheduled = { issueId: string; version: number; at: Date; now: Date }

/**
 * Schedules the email of a drop, or changes it. Takes over a draft of the same drop.
 * @throws AppError mailing_not_changeable if the drop has a mailing that was sent or that is scheduled on its own
 */
export async function writeDropEmail(
  tx: Tx,
  editor: Editor,
  email: Omit<DropEmail, 'acceptedErrors'>,
  { issueId, version, at, now, acceptedErrors }: Scheduled & { acceptedErrors: readonly string[] },
): Promise<void> {
  const [before] = await tx
    .select()
    .from(mailings)
    .where(and(eq(mailings.issueId, issueId), eq(mailings.kind, 'issue'), ne(mailings.status, 'stopped')))
    .orderBy(desc(mailings.createdAt), desc(mailings.id))
    .limit(1)
    .for('no key update')
  const isOpen = !before || before.status === 'draft' || (before.status === 'scheduled' && before.waitsForVersion)
  if (!isOpen) throw new AppError('mailing_not_changeable', { message: 'This drop already has an email of its own.' })
  const { subject, preheader, audience } = email
  const allowsHours = (await readSendingSettings(tx)).readerHours ?? false
  const readerHours = email.readerHours ?? allowsHours
  const test = subjectTestSchema.nullable().parse(before?.subjectTest ?? null)
  const hasBoth = test !== null && readerHours && allowsHours
  if (hasBoth) throw new AppError('validation_failed', { message: testWithHoursProblem })
  if (audience.newsletterId !== null) await requireNewsletterInUse(tx, audience.newsletterId)
  const values = {
    subject,
    preheader,
    audience,
    readerHours,
    status: 'scheduled',
    scheduledAt: at,
    waitsForVersion: version,
    content: null,
    frozenAt: null,
    acceptedErrors: [...acceptedErrors],
    sendFailure: null,
    pauseReason: null,
    updatedAt: now,
  }
  const [after] = before
    ? await tx
        .update(mailings)
        .set({ ...values, version: before.version + 1 })
        .where(eq(mailings.id, before.id))
        .returning()
    : await tx
        .insert(mailings)
        .values({ id: randomUUID(), kind: 'issue', issueId, createdAt: now, ...createdBy(editor), ...values })
        .returning()
  if (!after) throw new AppError('not_found')
  const changes = changesBetween(
    { scheduledAt: before?.scheduledAt?.toISOString() },
    { scheduledAt: at.toISOString(), subject, waitsForVersion: version },
  )
  await recordAdminEvent(tx, editor, {
    event: 'mailing_scheduled',
    object: objectOf(after),
    changes,
    ...(acceptedErrors.length > 0 && { note: `Despite: ${acceptedErrors.join('; ')}` }),
    now,
  })
}

/** Moves the email of a drop, if there is one, to a new time and version of the drop. */
export async function moveDropEmail(tx: Tx, editor: Editor, { issueId, version, at, now }: Scheduled): Promise<void> {
  const before = await findDropEmail(tx, issueId)
  if (!before) return
  await tx
    .update(mailings)
    .set({ scheduledAt: at, waitsForVersion: version, version: sql`${mailings.version} + 1`, updatedAt: now })
    .where(isWaiting(issueId))
  const changes = changesBetween({ scheduledAt: before.scheduledAt?.toISOString() }, { scheduledAt: at.toISOString() })
  await recordAdminEvent(tx, editor, { event: 'mailing_scheduled', object: objectOf(before), changes, now })
}

const asDraft = { status: 'draft', scheduledAt: null, waitsForVersion: null, acceptedErrors: null }

/** Turns the email of a drop back into a draft, if there is one. */
export async function withdrawDropEmail(
  tx: Tx,
  editor: Editor,
  { issueId, now }: { issueId: string; now: Date },
): Promise<void> {
  const before = await findDropEmail(tx, issueId)
  if (!before) return
  await tx
    .update(mailings)
    .set({ ...asDraft, version: sql`${mailings.version} + 1`, updatedAt: now })
    .where(isWaiting(issueId))
  const changes = changesBetween({ scheduledAt: before.scheduledAt?.toISOString() }, {})
  await recordAdminEvent(tx, editor, { event: 'mailing_unscheduled', object: objectOf(before), changes, now })
}

/** Turns the email of a drop that couldn't be published back into a draft, with a note. */
export async function holdDropEmail(
  tx: Tx,
  { issueId, scheduledAt, now }: { issueId: string; scheduledAt: Date; now: Date },
): Promise<void> {
  const sendFailure: SendFailure = {
    reason: 'unpublished',
    errors: [],
    scheduledAt: scheduledAt.toISOString(),
    at: now.toISOString(),
  }
  await tx
    .update(mailings)
    .set({ ...asDraft, sendFailure, version: sql`${mailings.version} + 1`, updatedAt: now })
    .where(isWaiting(issueId))
}

/** Deletes the unsent emails of a drop that was never published. */
export async function deleteDropEmails(tx: Tx, issueId: string): Promise<void> {
  await tx
    .delete(mailings)
    .where(
      and(eq(mailings.issueId, issueId), eq(mailings.kind, 'issue'), inArray(mailings.status, ['draft', 'scheduled'])),
    )
}
