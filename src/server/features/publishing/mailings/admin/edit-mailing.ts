import { randomUUID } from 'node:crypto'
import { and, eq, isNotNull } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db, Tx } from '#server/db/database.ts'
import { issues, mailings } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { recordAdminEvent, recordEdit } from '#server/features/identity/auth/security/admin-event.ts'
import { createdBy, type Editor } from '#server/features/identity/auth/security/editor.ts'
import { requireNewsletterInUse } from '#server/features/publishing/newsletters/read-newsletters.ts'
import { readSendingSettings } from '#server/features/publishing/sending-settings/sending-settings.ts'
import type { adminCreateMailingCall, adminSaveMailingCall } from '#shared/contracts/publishing/mailings.ts'
import {
  audienceSchema,
  everyone,
  type MailingContent,
  mailingContentSchema,
} from '#shared/contracts/publishing/newsletter.ts'
import type { AuditObject } from '#shared/domain/security-events.ts'
import { AppError } from '#shared/errors.ts'
import { digestContent } from '../sending/digest-content.ts'
import { findMailing } from '../sending/mailing-row.ts'

type EditDeps = Pick<Deps, 'database' | 'clock'>
type Wanted = z.output<typeof adminCreateMailingCall.input>
type Change = z.output<typeof adminSaveMailingCall.input>

/** The mailing as an staff log object. */
export const mailingObject = ({ id, subject }: { id: string; subject: string }): AuditObject => ({
  kind: 'mailing',
  id,
  name: subject.trim() || 'No subject',
})

/** Creates a draft for everyone, with the subject suggested by the issue's title. Sends nothing. */
export async function createMailing({ database, clock }: EditDeps, wanted: Wanted, who: Editor) {
  const now = clock()
  const created = {
    id: randomUUID(),
    status: 'draft',
    createdAt: now,
    ...createdBy(who),
    updatedAt: now,
  }
  const begun = await beginning(database.db, wanted)
  // Rejects a digest of a month without issues.
  if (wanted.kind === 'digest') await digestContent(database.db, now)
  await database.db.transaction(async (tx) => {
    const [made] = await tx
      .insert(mailings)
      .values({ ...created, ...begun })
      .returning()
    if (made) await recordAdminEvent(tx, who, { event: 'mailing_created', object: mailingObject(made), now })
  })
  return { id: created.id }
}

async function beginning(db: Db, wanted: Wanted) {
  const begun = { kind: wanted.kind, audience: everyone }
  switch (wanted.kind) {
    case 'resend':
      return resendOf(db, wanted.mailingId)
    case 'issue': {
      const issue = await findIssue(db, wanted.issueId)
      const { readerHours = false } = await readSendingSettings(db)
      return { ...begun, issueId: issue.id, subject: issue.title, preheader: issue.preview, readerHours }
    }
    case 'digest':
      return {
        ...begun,
        subject: 'Your month in review',
        preheader: 'What’s new for your business, most relevant first.',
      }
    case 'news':
      return { ...begun, subject: '', preheader: '', content: newsContent('', '') }
  }
}

/** @throws AppError not_found, validation_failed */
async function resendOf(db: Db, mailingId: string) {
  const { kind, status, tracked, issueId, subject, preheader, content, audience } = await findMailing(db, mailingId)
  const { newsletterId, unopenedMailingId } = audience
  if (status !== 'sent' || !tracked || unopenedMailingId !== null || (kind !== 'issue' && kind !== 'news')) {
    throw new AppError('validation_failed', {
      message: 'Only a drop or news that was sent and counted opens can be resent, and only once.',
    })
  }
  if (issueId) await findIssue(db, issueId)
  const { title, intro } = mailingContentSchema.parse(content)
  return {
    kind,
    issueId,
    subject,
    preheader,
    audience: { ...everyone, newsletterId, unopenedMailingId: mailingId },
    ...(kind === 'news' && { content: newsContent(title, intro) }),
  }
}

async function findIssue(db: Db, id: string) {
  const [issue] = await db
    .select({ id: issues.id, title: issues.title, preview: issues.preview })
    .from(issues)
    .where(and(eq(issues.id, id), isNotNull(issues.publishedAt)))
  if (!issue) throw new AppError('not_found')
  return issue
}

/** News has one text and no sections. */
const newsContent = (title: string, body: string): MailingContent => ({
  kind: 'news',
  subject: '',
  preheader: '',
  title,
  date: null,
  worth: '',
  intro: body,
  sections: [],
  closing: '',
  question: '',
  path: null,
})

/**
 * Saves a draft if its version is still current.
 * @throws AppError not_found, not_a_draft, mailing_changed, validation_failed
 */
export async function saveMailing({ database, clock }: EditDeps, who: Editor, change: Change) {
  return database.db.transaction(async (tx) => {
    const mailing = await requireDraft(tx, change.id, change.version)
    await requireNewsletter(tx, mailing, change.audience.newsletterId)
    const version = mailing.version + 1
    const now = clock()
    await tx
      .update(mailings)
      .set({
        subject: change.subject,
        preheader: change.preheader,
        audience: { ...change.audience, unopenedMailingId: audienceSchema.parse(mailing.audience).unopenedMailingId },
        ...(mailing.kind === 'issue' && change.readerHours !== undefined && { readerHours: change.readerHours }),
        ...(change.subjectTest !== undefined && { subjectTest: change.subjectTest }),
        version,
        updatedAt: now,
        ...(mailing.kind === 'news' && change.news && { content: newsContent(change.news.title, change.news.body) }),
      })
      .where(eq(mailings.id, change.id))
    const object = mailingObject({ ...mailing, subject: change.subject })
    await recordEdit(tx, who, { event: 'mailing_edited', object, now })
    return { version }
  })
}

/**
 * A draft keeps a newsletter that was retired meanwhile, so that its text can still be saved.
 * @throws AppError validation_failed for a newsletter that is retired or unknown, or a digest to one
 */
async function requireNewsletter(
  tx: Tx,
  { kind, audience }: { kind: string; audience: unknown },
  newsletterId: number | null,
): Promise<void> {
  if (newsletterId === null || newsletterId === audienceSchema.parse(audience).newsletterId) return
  if (kind === 'digest') {
    throw new AppError('validation_failed', { message: 'The monthly digest goes to readers who chose it.' })
  }
  await requireNewsletterInUse(tx, newsletterId)
}

/** Deletes a draft. @throws AppError not_found, not_a_draft */
export async function deleteMailing({ database, clock }: EditDeps, who: Editor, id: string) {
  await database.db.transaction(async (tx) => {
    const mailing = await requireDraft(tx, id)
    await tx.delete(mailings).where(eq(mailings.id, id))
    await recordAdminEvent(tx, who, { event: 'mailing_deleted', object: mailingObject(mailing), now: clock() })
  })
  return {}
}

/** Locks the row until the transaction ends, so that sending can't interleave with the change. */
export async function requireDraft(tx: Tx, id: string, version?: number) {
  const [mailing] = await tx.select().from(mailings).where(eq(mailings.id, id)).for('update')
  if (!mailing) throw new AppError('not_found')
  if (mailing.status !== 'draft') throw new AppError('not_a_draft')
  if (version !== undefined && mailing.version !== version) throw new AppError('mailing_changed')
  return mailing
}
