import { asc, isNotNull, lte } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { isOnHold } from '#server/db/restore-hold.ts'
import { contentDocument, contentSchedule } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { readEditorLabel } from '#server/features/identity/auth/security/editor.ts'
import { listAdminEmails } from '#server/features/identity/auth/users/list-admin-emails.ts'
import { readSendingSettings } from '#server/features/publishing/sending-settings/sending-settings.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { publishingFailedEmail } from '#server/mail/texts/publisher-emails.ts'
import type { DocumentKind } from '#shared/contracts/publishing/documents.ts'
import type { Problem } from '#shared/contracts/publishing/publishable.ts'
import {
  type PublishFailure,
  type PublishingAlert,
  publishFailureSchema,
} from '#shared/contracts/publishing/publishing.ts'
import { clearSchedule, isScheduleOf } from './document-schedule.ts'
import { holdDropEmail } from './drop-email.ts'
import { publish } from './publish-document.ts'
import { auditObjectOf, type DocumentKey, type DocumentRow, isDocument, lockDocument } from './stored-document.ts'

/** Documents whose scheduled publishing failed, until they are published, scheduled or dismissed. */
export async function listPublishingAlerts(db: Db): Promise<PublishingAlert[]> {
  const rows = await db
    .select()
    .from(contentDocument)
    .where(isNotNull(contentDocument.publishFailure))
    .orderBy(asc(contentDocument.kind), asc(contentDocument.id))
  return rows.flatMap((row) => {
    const failure = publishFailureSchema.safeParse(row.publishFailure).data
    return failure ? [{ kind: row.kind as DocumentKind, id: row.id, title: auditObjectOf(row).name, failure }] : []
  })
}

type DueDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'enqueue' | 'logger'>
type Schedule = typeof contentSchedule.$inferSelect

/** Errors on our end are retried every minute for this long, then reported to the admins. */
const maxRetryMs = 15 * 60_000

/**
 * Publishes scheduled documents that are due, each in its own transaction that also deletes the schedule. So a crash
 * retries, and two nodes don't publish twice. If a document has problems, the admins get an email.
 */
export async function publishScheduledDocuments(deps: DueDeps): Promise<void> {
  const { db } = deps.database
  const due = await db
    .select({ kind: contentSchedule.kind, id: contentSchedule.id })
    .from(contentSchedule)
    .where(lte(contentSchedule.publishAt, deps.clock()))
    .orderBy(asc(contentSchedule.publishAt), asc(contentSchedule.kind), asc(contentSchedule.id))
  for (const { kind, id } of due) {
    const name: DocumentKey = { kind: kind as DocumentKind, id }
    try {
      await db.transaction((tx) => publishScheduled(tx, deps, name))
    } catch (error) {
      // Continue with the other documents.
      deps.logger.error({ err: error, ...name }, 'scheduled publishing failed')
      await failAfterRetries(deps, name).catch((cause: unknown) =>
        deps.logger.error({ err: cause, ...name }, 'scheduled publishing: could not record the failure'),
      )
    }
  }
}

/** Locks the document, then returns its schedule. Null if it was canceled or published in the meantime. */
async function lockDueSchedule(tx: Tx, deps: DueDeps, name: DocumentKey) {
  const [known] = await tx
    .select({ id: contentDocument.id })
    .from(contentDocument)
    .where(isDocument(name))
    .for('update')
  if (!known) return null
  const [schedule] = await tx.select().from(contentSchedule).where(isScheduleOf(name))
  if (!schedule || schedule.publishAt > deps.clock()) return null
  return { row: await lockDocument(tx, name), schedule }
}

async function publishScheduled(tx: Tx, deps: DueDeps, name: DocumentKey): Promise<void> {
  const due = await lockDueSchedule(tx, deps, name)
  if (!due) return
  const { row, schedule } = due
  const { version, document, createdBy, createdById, publishAt } = schedule
  const text = { version, document, updatedBy: createdBy, updatedById: createdById }
  const { problems } = await publish(tx, deps.config, row, text, {
    ...{ now: deps.clock(), publishAt },
    ...{ actor: await readScheduler(tx, schedule), note: 'As scheduled' },
  })
  if (problems.length > 0) await fail(tx, deps, due, problems)
}

const readScheduler = async (tx: Tx, { createdBy, createdById }: Schedule): Promise<Actor> => ({
  userId: createdById ?? '',
  email: (await readEditorLabel(tx, createdBy, createdById)) ?? '',
})

/** Deletes the schedule, stores the failure on the document and emails the admins. */
async function fail(
  tx: Tx,
  deps: DueDeps,
  { row, schedule }: { row: DocumentRow; schedule: Schedule },
  problems: Problem[],
): Promise<void> {
  const now = deps.clock()
  const name: DocumentKey = { kind: row.kind as DocumentKind, id: row.id }
  const failure: PublishFailure = {
    scheduledAt: schedule.publishAt.toISOString(),
    at: now.toISOString(),
    problems,
  }
  await clearSchedule(tx, name)
  await tx.update(contentDocument).set({ publishFailure: failure }).where(isDocument(name))
  if (name.kind === 'issue') await holdDropEmail(tx, { issueId: name.id, scheduledAt: schedule.publishAt, now })
  const object = auditObjectOf(row)
  const note = problems.map(({ message }) => message).join('; ')
  await recordAdminEvent(tx, await readScheduler(tx, schedule), { event: 'publishing_failed', object, note, now })
  if (await isOnHold(tx)) return
  const { timeZone } = await readSendingSettings(tx)
  const { config } = deps
  for (const to of await listAdminEmails(tx, now, ['owner', 'editor'])) {
    const email = publishingFailedEmail({ to, ...name, title: object.name, failure, timeZone, config })
    await deps.enqueue(tx, emailJob, email)
  }
}

/** Reports repeated errors on our end like any other failure. */
async function failAfterRetries(deps: DueDeps, name: DocumentKey): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    const due = await lockDueSchedule(tx, deps, name)
    if (!due || deps.clock().getTime() - due.schedule.publishAt.getTime() < maxRetryMs) return
    await fail(tx, deps, due, [{ path: '', message: 'Something went wrong on our end. Try publishing it now.' }])
  })
}
