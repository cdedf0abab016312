import type { Tx } from '#server/db/database.ts'
import { contentDocument, contentSchedule } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { type Editor, updatedBy } from '#server/features/identity/auth/security/editor.ts'
import { syncContentItems } from '#server/features/library/content/sync-content-items.ts'
import { readSendingSettings } from '#server/features/publishing/sending-settings/sending-settings.ts'
import { type DocumentKind, type IssueDraft, issueDraftSchema } from '#shared/contracts/publishing/documents.ts'
import { errorsIn, type Problem, publishableSchemas } from '#shared/contracts/publishing/publishable.ts'
import type { StoredDocument } from '#shared/contracts/publishing/publishing.ts'
import { changesBetween } from '#shared/domain/changed-fields.ts'
import { problemOfPublishTime } from '#shared/domain/check-schedule-time.ts'
import { deriveIssue } from '#shared/domain/derive-issue.ts'
import type { Questions } from '#shared/domain/preferences.ts'
import { dayOf, moveToDay } from '#shared/domain/publishing-calendar.ts'
import { AppError, conflictOf } from '#shared/errors.ts'
import { type CheckTimes, checkDocument } from './check-document.ts'
import { clearSchedule, findSchedule, isScheduleOf, listScheduledMailings } from './document-schedule.ts'
import { findDropEmail, moveDropEmail } from './drop-email.ts'
import { recordRevision } from './revisions.ts'
import {
  auditObjectOf,
  type DocumentKey,
  type DocumentRow,
  isDocument,
  lockDocument,
  requireCurrentVersion,
  toStoredDocument,
  withSlug,
} from './stored-document.ts'
import { replaceDraft } from './write-document.ts'
import { publishedWriters } from './write-published.ts'

type Move = { id: string; version: number; from: string | null; emailId: string | null; to: string }

/**
 * Moves a drop to another local day, in one transaction with its email. A second, equal move changes nothing.
 * @throws AppError edit_conflict, mailing_scheduled, already_published, not_publishable, validation_failed, not_found
 */
export async function moveDrop(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  editor: Editor,
  { id, version, from, emailId, to }: Move,
): Promise<StoredDocument> {
  const name: DocumentKey = { kind: 'issue', id }
  return database.db.transaction(async (tx) => {
    const now = clock()
    const { timeZone } = await readSendingSettings(tx)
    const row = await lockDocument(tx, name)
    const draft = issueDraftSchema.parse(row.document)
    const schedule = await findSchedule(tx, name)
    if (schedule ? dayOf(schedule.publishAt.toISOString(), timeZone) === to : draft.date === to) {
      return toStoredDocument(tx, row)
    }
    await requireCurrentVersion(tx, row, version)
    if ((schedule?.publishAt.getTime() ?? null) !== (from === null ? null : Date.parse(from))) {
      throw conflictOf(await toStoredDocument(tx, row))
    }
    if (!schedule) {
      if (row.publishedVersion !== null) throw new AppError('already_published')
      if (to < dayOf(now.toISOString(), timeZone)) throw new AppError('validation_failed', { message: dayHasPassed })
      const after = await replaceDraft(tx, row, { ...draft, date: to }, editor, now)
      const changes = changesBetween({ date: draft.date || undefined }, { date: to })
      await recordAdminEvent(tx, editor, { event: 'content_edited', object: auditObjectOf(row), changes, now })
      return toStoredDocument(tx, after)
    }
    const email = await findDropEmail(tx, id)
    if ((email?.id ?? null) !== emailId) {
      const message = email
        ? 'An email goes out with this drop. Reload the page to see it.'
        : 'The email of this drop was canceled. Reload the page.'
      throw new AppError('mailing_scheduled', { message, extra: { mailings: await listScheduledMailings(tx, id) } })
    }
    const publishAt = new Date(moveToDay(schedule.publishAt.toISOString(), to, timeZone))
    const timeProblem = problemOfPublishTime(publishAt, now)
    if (timeProblem) throw new AppError('validation_failed', { message: timeProblem })
    // The date that readers see moves along if it was that day, or if it couldn't be published before.
    const scheduled = issueDraftSchema.parse(schedule.document)
    const before = dayOf(schedule.publishAt.toISOString(), timeZone)
    const moved: IssueDraft = scheduled.date === before || scheduled.date > to ? { ...scheduled, date: to } : scheduled
    const problems = errorsIn(await checkDocument(tx, name, moved, { now, publishAt }))
    if (problems.length > 0) throw new AppError('not_publishable', { extra: { problems } })
    const isEdited = draft.date === scheduled.date && moved.date !== draft.date
    const after = isEdited ? await replaceDraft(tx, row, { ...draft, date: moved.date }, editor, now) : row
    const movedVersion = schedule.version === row.version ? after.version : schedule.version
    await tx
      .update(contentSchedule)
      .set({ document: moved, version: movedVersion, publishAt })
      .where(isScheduleOf(name))
    await moveDropEmail(tx, editor, { issueId: id, version: movedVersion, at: publishAt, now })
    const changes = changesBetween(
      { publishAt: schedule.publishAt.toISOString(), date: scheduled.date },
      { publishAt: publishAt.toISOString(), date: moved.date },
    )
    await recordAdminEvent(tx, editor, { event: 'publishing_scheduled', object: auditObjectOf(after), changes, now })
    return toStoredDocument(tx, after)
  })
}

const dayHasPassed = 'That day has passed. Choose a later one.'

/**
 * Publishes a saved version. Readers see it with their next request, on every node.
 * @throws AppError not_publishable with `problems`; edit_conflict if there is a newer version; not_found
 */
export async function publishDocument(
  { config, database, clock }: Pick<Deps, 'config' | 'database' | 'clock'>,
  editor: Editor,
  { expectedDrops, ...name }: DocumentKey & { version: number; expectedDrops?: ReadonlySet<string> },
): Promise<StoredDocument> {
  return database.db.transaction(async (tx) => {
    const before = await lockDocument(tx, name)
    await requireCurrentVersion(tx, before, name.version)
    const now = clock()
    const { version, document, publishedVersion } = before
    const text = { version, document, ...updatedBy(editor) }
    const times = { now, publishAt: now, ...(expectedDrops && { expectedDrops }) }
    const { problems, published } = await publish(tx, config, before, text, { ...times, actor: editor })
    if (!published) throw new AppError('not_publishable', { extra: { problems } })
    const changed = { updatedAt: now, ...updatedBy(editor) }
    if (publishedVersion !== version) await tx.update(contentDocument).set(changed).where(isDocument(name))
    return toStoredDocument(tx, published)
  })
}

type PublishedText = Pick<DocumentRow, 'version' | 'document' | 'updatedBy' | 'updatedById'>

/**
 * Publishes a text of a locked document in place of what readers see: the present draft, or an earlier one that was
 * scheduled. The draft stays as it is.
 * @returns the document as if the text were its draft; null with the errors if it can't be published
 */
export async function publish(
  tx: Tx,
  { settings }: Pick<Deps['config'], 'settings'>,
  row: DocumentRow,
  text: PublishedText,
  { actor, note, ...times }: CheckTimes & { actor: Actor; note?: string },
): Promise<{ problems: Problem[]; published: DocumentRow | null }> {
  const { now } = times
  const name: DocumentKey = { kind: row.kind as DocumentKind, id: row.id }
  const problems = errorsIn(await checkDocument(tx, name, text.document, times))
  if (problems.length > 0) return { problems, published: null }
  await writePublished(tx, settings.publication, name.kind, name.id, text.document, now)
  await clearSchedule(tx, name)
  if (row.publishedVersion === text.version) return { problems, published: { ...row, publishFailure: null } }
  const changed = { publishedVersion: text.version, editedInAdmin: true }
  await tx.update(contentDocument).set(changed).where(isDocument(name))
  const published = { ...row, ...text, ...changed, publishFailure: null, updatedAt: now }
  await recordRevision(tx, published, 'published', row)
  const changes = changesBetween({ version: row.publishedVersion }, { version: text.version })
  const object = auditObjectOf(published)
  await recordAdminEvent(tx, actor, { event: 'content_published', object, changes, now, ...(note && { note }) })
  return { problems, published }
}

/** Copies a document to the tables that readers see. @throws ZodError unless `checkDocument` found no problems */
export async function writePublished<Kind extends DocumentKind>(
  tx: Tx,
  publication: Questions,
  kind: Kind,
  id: string,
  document: unknown,
  now: Date,
) {
  const complete =
    kind === 'issue' ? deriveIssue(publication, await withSlug(tx, id, document as IssueDraft)) : document
  const parsed = publishableSchemas[kind].parse(complete)
  await publishedWriters[kind](tx, id, parsed as Parameters<(typeof publishedWriters)[Kind]>[2], now)
  await syncContentItems(tx, now, { kind, id })
}
