import { contentSchedule } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import type { Editor } from '#server/features/identity/auth/security/editor.ts'
import { readSendingSettings } from '#server/features/publishing/sending-settings/sending-settings.ts'
import { type IssueDraft, issueDraftSchema } from '#shared/contracts/publishing/documents.ts'
import { errorsIn } from '#shared/contracts/publishing/publishable.ts'
import type { StoredDocument } from '#shared/contracts/publishing/publishing.ts'
import { changesBetween } from '#shared/domain/changed-fields.ts'
import { problemOfPublishTime } from '#shared/domain/check-schedule-time.ts'
import { dayOf, moveToDay } from '#shared/domain/publishing-calendar.ts'
import { AppError, conflictOf } from '#shared/errors.ts'
import { checkDocument } from './check-document.ts'
import { findSchedule, isScheduleOf, listScheduledMailings } from './document-schedule.ts'
import { findDropEmail, moveDropEmail } from './drop-email.ts'
import {
  auditObjectOf,
  type DocumentKey,
  lockDocument,
  requireCurrentVersion,
  toStoredDocument,
} from './stored-document.ts'
import { replaceDraft } from './write-document.ts'

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
      if (row.publishedVersion !== null) {
        throw new AppError('already_published', { message: 'Published drops can’t be moved.' })
      }
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
