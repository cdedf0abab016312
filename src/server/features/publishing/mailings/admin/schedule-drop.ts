import type { z } from 'zod'
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
import type { adminScheduleDropCall, DropEmail, StoredDocument } from '#shared/contracts/publishing/publishing.ts'
import { refuseErrors, type SendDeps } from './send-mailing.ts'

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
