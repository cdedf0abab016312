import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import { deliveries, emailPreferences, userPreferences, users } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { hasAccess, readAccessFacts } from '#server/features/billing/subscriptions/access/read-access.ts'
import { consumePoint, userCounterKey } from '#server/features/identity/auth/limits/rate-limit-counters.ts'
import { rateLimitError } from '#server/features/identity/auth/limits/rate-limit-error.ts'
import { type Actor, aboutAddress, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { createTestLinks } from '#server/features/publishing/email-preferences/email-links.ts'
import { readListSender } from '#server/features/publishing/sending-settings/sending-settings.ts'
import { readCustomFields, readFieldValues } from '#server/features/reader/custom-fields/read-custom-fields.ts'
import type { Principal } from '#server/http/principal.ts'
import { requireRole } from '#server/http/product-calls.ts'
import { adminUserCall } from '#shared/contracts/operations/member-account.ts'
import type { adminPreviewMailingCall } from '#shared/contracts/publishing/mailing-preview.ts'
import type { MailingContent } from '#shared/contracts/publishing/newsletter.ts'
import { parseReader } from '#shared/contracts/reader/reader.ts'
import { fieldTexts } from '#shared/domain/custom-fields.ts'
import { normalizeEmail } from '#shared/domain/email-address.ts'
import type { Questions } from '#shared/domain/preferences.ts'
import { type Reader, unknownReader } from '#shared/domain/reader.ts'
import type { AuditObject } from '#shared/domain/security-events.ts'
import { AppError } from '#shared/errors.ts'
import { previewFor, type Recipient } from '../compose/composer.ts'
import { freeEditionOf } from '../compose/free-edition.ts'
import { findMailing } from '../sending/mailing-row.ts'
import { sendTest } from '../sending/send-test.ts'
import { mailingObject } from './edit-mailing.ts'
import { contentOf } from './read-mailing.ts'
import { readMember } from './read-member.ts'

export type PreviewDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'newsletterMailer'>
export type ReaderChoice = z.output<typeof adminPreviewMailingCall.input>['as']

/** The email of a mailing or of an unpublished issue. */
type Email = { mailing: Parameters<typeof readMember>[1]; content: MailingContent }

/**
 * Keeps members' answers from roles that don't see members: those preview as themselves or as a made-up reader.
 * @throws AppError role_not_allowed
 */
export function requireReaderChoice(who: Principal, as: ReaderChoice): void {
  if ('userId' in as && as.userId !== who.userId) requireRole(adminUserCall.roles, who)
}

/** The content for one reader: without access, the free edition of a drop. */
async function editionFor({ config, database, clock }: PreviewDeps, { mailing, content }: Email, as: ReaderChoice) {
  if (mailing.kind !== 'issue') return content
  const isMember = 'userId' in as ? hasAccess(config, await readAccessFacts(database.db, as.userId), clock()) : !as.free
  return isMember ? content : freeEditionOf(content)
}

/** Renders the email as one reader gets it, with inert links. */
export async function previewEmail(deps: PreviewDeps, email: Email, as: ReaderChoice) {
  const { mailing } = email
  const content = await editionFor(deps, email, as)
  const { config, clock } = deps
  const to = await recipientFor(deps, mailing.id, as)
  const links = createTestLinks({ config })
  const from = await readListSender(deps, mailing.audience.newsletterId)
  const preview = await previewFor({ content, from, config, links, clock }, to)
  return {
    subject: preview.subject,
    html: preview.html,
    text: preview.text,
    bytes: Buffer.byteLength(preview.html),
    headings: preview.order.map((index) => content.sections[index]?.heading ?? ''),
    reason: preview.reason,
    member: 'userId' in as ? await readMember(deps, mailing, as.userId) : null,
  }
}

/** @throws AppError not_found */
export async function previewMailing(deps: PreviewDeps, id: string, as: ReaderChoice) {
  const mailing = await findMailing(deps.database.db, id)
  return previewEmail(deps, { mailing, content: await contentOf(deps.database.db, mailing) }, as)
}

/** Test emails can go to any address, so each account sends only as many as someone looking at a layout needs. */
const testEmailLimit = { points: 30, windowSeconds: 60 * 60 }

async function countTestEmail({ database, clock }: PreviewDeps, { userId }: Actor): Promise<void> {
  const { points, windowSeconds } = testEmailLimit
  const now = clock()
  const used = await consumePoint(database.db, userCounterKey(userId, 'test-emails'), windowSeconds, now)
  if (used.points > points) throw rateLimitError({ what: 'test emails', until: used.expiresAt, now })
}

/**
 * Sends one test email and records it in the staff log.
 * @throws AppError not_found, email_rejected, over_request_rate_limit
 */
export async function sendTestEmail(
  deps: PreviewDeps,
  who: Actor,
  { object, ...email }: Email & { object: AuditObject },
  { to, as }: { to: string; as: ReaderChoice },
) {
  const { db } = deps.database
  await countTestEmail(deps, who)
  const from = await readListSender(deps, email.mailing.audience.newsletterId)
  const content = await editionFor(deps, email, as)
  await sendTest(deps, { content, from }, { ...(await recipientFor(deps, email.mailing.id, as)), email: to })
  const about = await aboutAddress(db, normalizeEmail(to))
  await recordAdminEvent(db, who, { event: 'test_email_sent', object, about, now: deps.clock() })
  return { to }
}

/** @throws AppError not_found, email_rejected */
export async function testMailing(deps: PreviewDeps, who: Actor, id: string, test: { to: string; as: ReaderChoice }) {
  const { db } = deps.database
  const mailing = await findMailing(db, id)
  const content = await contentOf(db, mailing)
  return sendTestEmail(deps, who, { mailing, content, object: mailingObject(mailing) }, test)
}

async function recipientFor(deps: PreviewDeps, mailingId: string, as: ReaderChoice): Promise<Recipient> {
  const { db } = deps.database
  const { publication } = deps.config.settings
  const sampleRecipient = {
    deliveryId: '0',
    userId: '00000000-0000-0000-0000-000000000000',
    email: 'reader@example.com',
  }
  if ('reader' in as) return { ...sampleRecipient, name: null, reader: as.reader }
  const [member] = await db
    .select({
      email: users.email,
      data: users.rawUserMetaData,
      answers: userPreferences,
      frozen: deliveries.reader,
      freeSource: emailPreferences.freeSource,
    })
    .from(users)
    .leftJoin(emailPreferences, eq(emailPreferences.userId, users.id))
    .leftJoin(userPreferences, eq(userPreferences.userId, users.id))
    .leftJoin(deliveries, and(eq(deliveries.userId, users.id), eq(deliveries.mailingId, mailingId)))
    .where(eq(users.id, as.userId))
  if (!member) throw new AppError('not_found')
  const [fields, values] = await Promise.all([readCustomFields(db), readFieldValues(db, as.userId)])
  return {
    deliveryId: '0',
    userId: as.userId,
    email: member.email ?? sampleRecipient.email,
    name: nameIn(member.data),
    reader: member.frozen ? parseReader(publication, JSON.parse(member.frozen)) : readerOf(publication, member.answers),
    fields: fieldTexts(fields, values),
    freeSource: member.freeSource,
  }
}

/** Full name from the account metadata, or `name` as older clients store it. */
function nameIn(data: unknown): string | null {
  const { full_name: fullName, name } = (data ?? {}) as { full_name?: unknown; name?: unknown }
  const found = [fullName, name].find((part) => typeof part === 'string' && part.trim() !== '')
  return typeof found === 'string' ? found.trim() : null
}

const readerOf = (publication: Questions, answers: typeof userPreferences.$inferSelect | null): Reader =>
  answers ? parseReader(publication, answers) : unknownReader
