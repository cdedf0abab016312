import type { z } from 'zod'
import type { Tx } from '#server/db/database.ts'
import type { Deps } from '#server/feature.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { requireStepUp } from '#server/features/identity/auth/security/step-up.ts'
import { writeSchedule } from '#server/features/publishing/documents/document-schedule.ts'
import { withdrawDropEmail, writeDropEmail } from '#server/features/publishing/documents/drop-email.ts'
import { readDraftContent } from '#server/features/publishing/documents/issue-content.ts'
import { toStoredDocument } from '#server/features/publishing/documents/stored-document.ts'
import {
  readSendingSettings,
  requirePostalAddress,
} from '#server/features/publishing/sending-settings/sending-settings.ts'
import type { Caller } from '#server/http/principal.ts'
import { problemText } from '#shared/contracts/publishing/mailing-preview.ts'
import { type MailingContent, unlistedKinds } from '#shared/contracts/publishing/newsletter.ts'
import type { adminScheduleDropCall, DropEmail, StoredDocument } from '#shared/contracts/publishing/publishing.ts'
import { type Change, changesBetween } from '#shared/domain/changed-fields.ts'
import { problemOfSchedule } from '#shared/domain/check-schedule-time.ts'
import type { AdminEvent } from '#shared/domain/security-events.ts'
import { problemOfSubjectTest } from '#shared/domain/subject-test.ts'
import { AppError } from '#shared/errors.ts'
import { type FindOptions, findProblems } from '../checks/locate-problem.ts'
import { buildContent, findMailing, type MailingRow } from '../sending/mailing-row.ts'
import {
  dismissSendFailure,
  pauseMailing,
  resumeMailing,
  startMailing,
  stopMailing,
  unscheduleMailing,
  updateScheduled,
} from '../sending/mailing-transitions.ts'
import { countAudience } from './count-audience.ts'
import { mailingObject } from './edit-mailing.ts'
import { contentOf } from './read-mailing.ts'

type SendDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'newsletterMailer'>
type Wanted = { id: string; version: number; at: string | null; acceptedErrors?: string[] }

/**
 * Sends a draft now or schedules it. Errors of the checks must be accepted by name.
 * @throws AppError not_found, not_a_draft, mailing_changed, empty_audience, validation_failed,
 * postal_address_missing, mailing_has_errors
 */
export async function sendMailing(
  deps: SendDeps,
  who: Caller,
  { id, version, at, acceptedErrors: accepted = [] }: Wanted,
) {
  const { db } = deps.database
  const mailing = await findMailing(db, id)
  const settings = await readSendingSettings(db)
  requirePostalAddress(deps.config, settings)
  if (mailing.status !== 'draft') throw new AppError('not_a_draft')
  if (!mailing.subject.trim()) throw new AppError('validation_failed', { message: 'Enter a subject first.' })
  const { tracking: tracked } = settings
  const readerHours = mailing.readerHours && (settings.readerHours ?? false)
  const repliesRead = deps.config.repliesMailbox !== null
  const testProblem = problemOfSubjectTest(mailing.subject, mailing.subjectTest, { tracked, readerHours, repliesRead })
  if (testProblem) throw new AppError('validation_failed', { message: testProblem })
  const content = await contentOf(db, mailing)
  if (content.sections.length === 0 && !content.intro.trim()) {
    throw new AppError('validation_failed', { message: 'Add some text before you send.' })
  }
  const when = at === null ? null : new Date(at)
  const untimely = when && problemOfSchedule(when, deps.clock())
  if (untimely) throw new AppError('validation_failed', { message: untimely })
  // For a scheduled mailing the audience is counted when it is due.
  if (!when && (await countAudience(deps, { id }, mailing.audience)).receiving === 0) {
    throw new AppError('empty_audience')
  }
  const acceptedErrors = await refuseErrors(deps, content, accepted)
  const record = recording(who, when ? 'mailing_scheduled' : 'mailing_sent', {
    ...(when && { changes: changesBetween({}, { scheduledAt: when.toISOString() }) }),
    ...noteOf(acceptedErrors),
  })
  return {
    status: await startMailing({ ...deps, onChange: record }, { id, version, at: when, content, acceptedErrors }),
  }
}

const noteOf = (accepted: readonly string[]) =>
  accepted.length > 0 ? { note: `Sent despite: ${accepted.join('; ')}` } : {}

/**
 * Updates a scheduled mailing to the content that is published now.
 * @throws AppError not_found, mailing_changed, mailing_not_changeable, mailing_has_errors
 */
export async function updateScheduledMailing(
  deps: SendDeps,
  who: Caller,
  { id, version, acceptedErrors: accepted = [] }: Omit<Wanted, 'at'>,
) {
  const { db } = deps.database
  const mailing = await findMailing(db, id)
  if (
    mailing.status !== 'scheduled' ||
    mailing.waitsForVersion !== null ||
    mailing.kind === 'news' ||
    unlistedKinds.includes(mailing.kind)
  )
    throw new AppError('mailing_not_changeable')
  const content = await buildContent(db, mailing)
  const acceptedErrors = await refuseErrors(deps, content, accepted)
  const record = recording(who, 'mailing_updated', noteOf(acceptedErrors))
  return updateScheduled({ ...deps, onChange: record }, { id, version, content, acceptedErrors })
}

/** Errors to name in the message; the details have all of them. */
const maxNamedErrors = 3

/**
 * Runs the checks again and rejects errors that weren't accepted, such as ones in an issue republished since. Returns the
 * accepted errors.
 */
export async function refuseErrors(
  deps: SendDeps,
  content: MailingContent,
  accepted: readonly string[],
  options: FindOptions = {},
): Promise<string[]> {
  const errors = (await findProblems(deps, content, options)).filter(({ severity }) => severity === 'error')
  const words = errors.map(problemText)
  const unseen = words.filter((each) => !accepted.includes(each))
  if (unseen.length === 0) return words
  const more = unseen.length - maxNamedErrors
  const named = `${unseen.slice(0, maxNamedErrors).join('; ')}${more > 0 ? `; and ${more} more` : ''}`
  throw new AppError('mailing_has_errors', {
    message: `Nothing was sent. Fix these errors or choose to send anyway: ${named}.`,
    extra: { errors },
  })
}

/** Records the change in the staff log, in the same transaction. */
const recording =
  (who: Actor, event: AdminEvent, more: { changes?: Change[]; note?: string } = {}) =>
  (tx: Tx, { mailing, now }: { mailing: MailingRow; now: Date }) =>
    recordAdminEvent(tx, who, { event, object: mailingObject(mailing), now, ...more })

const actions = {
  pause: { run: pauseMailing, event: 'mailing_paused' },
  resume: { run: resumeMailing, event: 'mailing_resumed' },
  stop: { run: stopMailing, event: 'mailing_stopped' },
  unschedule: { run: unscheduleMailing, event: 'mailing_unscheduled' },
  dismiss: { run: dismissSendFailure, event: 'mailing_alert_dismissed' },
} as const

/** @throws AppError not_found, mailing_not_changeable */
export async function applyMailingAction(
  deps: Pick<Deps, 'database' | 'clock'>,
  who: Actor,
  { id, action }: { id: string; action: keyof typeof actions },
) {
  const { run, event } = actions[action]
  return { status: await run({ ...deps, onChange: recording(who, event) }, id) }
}

/**
 * Schedules a drop and its email in one transaction. The checks of the email run before it, on the saved text, which is
 * the one that is scheduled: a newer version fails.
 * @throws AppError step_up_required, postal_address_missing, mailing_has_errors, mailing_not_changeable, not_publishable,
 * edit_conflict, validation_failed, not_found
 */
export async function scheduleDrop(
  deps: SendDeps,
  who: Caller,
  { id, version, at: wanted, email }: z.output<typeof adminScheduleDropCall.input>,
): Promise<StoredDocument> {
  const accepted = email && (await checkEmail(deps, who, id, email))
  const editor = who
  return deps.database.db.transaction(async (tx) => {
    const now = deps.clock()
    const at = wanted ?? new Date(now.getTime() + 1_000).toISOString()
    const row = await writeSchedule(tx, editor, { kind: 'issue', id, version, at }, now)
    if (email && accepted) {
      const scheduled = { issueId: id, version: row.version, at: new Date(at), now, acceptedErrors: accepted }
      await writeDropEmail(tx, editor, email, scheduled)
    } else await withdrawDropEmail(tx, editor, { issueId: id, now })
    return toStoredDocument(tx, { ...row, publishFailure: null })
  })
}

/** Returns the errors that the publisher accepted. */
async function checkEmail(deps: SendDeps, who: Caller, id: string, email: DropEmail): Promise<string[]> {
  const { db } = deps.database
  await requireStepUp(deps, who)
  requirePostalAddress(deps.config, await readSendingSettings(db))
  const { preview: _, ...text } = await readDraftContent(db, id)
  const content = { ...text, kind: 'issue' as const, subject: email.subject, preheader: email.preheader }
  return refuseErrors(deps, content, email.acceptedErrors ?? [], { assumePublished: content.path })
}
