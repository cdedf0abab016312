import { eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { queryRows, type Tx } from '#server/db/database.ts'
import { mailings, users } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { consumePoint, userCounterKey } from '#server/features/identity/auth/limits/rate-limit-counters.ts'
import { rateLimitError } from '#server/features/identity/auth/limits/rate-limit-error.ts'
import { recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { previewEmail } from '#server/features/publishing/mailings/admin/preview-email.ts'
import { readMember } from '#server/features/publishing/mailings/admin/read-member.ts'
import { findProblems } from '#server/features/publishing/mailings/checks/locate-problem.ts'
import {
  addToAutomaticMailing,
  createAutomaticMailing,
} from '#server/features/publishing/mailings/sending/automatic-mailing.ts'
import {
  readListSender,
  readSendingSettings,
  requirePostalAddress,
} from '#server/features/publishing/sending-settings/sending-settings.ts'
import type { Caller, Principal } from '#server/http/principal.ts'
import type {
  adminSendPersonalEmailCall,
  PersonalEmail,
  PersonalEmails,
  SentPersonalEmail,
} from '#shared/contracts/operations/personal-email.ts'
import { problemText } from '#shared/contracts/publishing/mailing-preview.ts'
import { type DeliveryCause, deliveryCauses, type MailingContent } from '#shared/contracts/publishing/newsletter.ts'
import { AppError } from '#shared/errors.ts'
import { personalEmailContent, unsentPersonalEmail } from './personal-email-content.ts'

type PreviewDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'newsletterMailer'>

/** Errors that the member would see, such as an unknown merge field. Makes no requests to other servers. */
async function findErrors(deps: PreviewDeps, content: MailingContent): Promise<string[]> {
  const problems = await findProblems(deps, content, { withoutNetwork: true })
  return problems.filter(({ severity }) => severity === 'error').map(problemText)
}

/** @throws AppError not_found */
export async function previewPersonalEmail(deps: PreviewDeps, who: Principal, { userId, ...email }: PersonalEmail) {
  const content = personalEmailContent(email, who)
  const [{ subject, html, text }, errors] = await Promise.all([
    previewEmail(deps, { mailing: unsentPersonalEmail, content }, { userId }),
    findErrors(deps, content),
  ])
  return { subject, html, text, errors }
}

type SendDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'newsletterMailer'>
type Wanted = z.output<typeof adminSendPersonalEmailCall.input>

/** For answers by hand. Email to many members is a mailing. */
const sendLimit = { points: 60, windowSeconds: 60 * 60 }
const sameTextHours = 24

/**
 * Sends an email to one member as a mailing with one delivery. The lock on the account makes a second tab wait, which then
 * finds the same text.
 * @throws AppError not_found, postal_address_missing, mailing_has_errors, already_sent_to_member,
 * member_not_eligible, over_request_rate_limit
 */
export async function sendPersonalEmail(
  deps: SendDeps,
  who: Caller,
  { id, userId, subject, text }: Wanted,
): Promise<Record<string, never>> {
  const content = personalEmailContent({ subject, text }, who)
  const errors = await findErrors(deps, content)
  if (errors.length > 0) {
    throw new AppError('mailing_has_errors', { message: `Nothing was sent. Fix this first: ${errors.join('; ')}.` })
  }
  return deps.database.db.transaction(async (tx) => {
    const now = deps.clock()
    const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('no key update')
    if (!user?.email || user.deletedAt) throw new AppError('not_found')
    const earlier = await findEarlier(tx, { id, userId, subject, text }, now)
    if (earlier.some((each) => each.id === id)) return {}
    if (earlier.length > 0) {
      throw new AppError('already_sent_to_member', {
        message: 'The same email was already sent to this member today, or it’s on its way.',
      })
    }
    if ((await tx.$count(mailings, eq(mailings.id, id))) > 0) throw new AppError('mailing_changed')
    requirePostalAddress(deps.config, await readSendingSettings(tx))
    await countEmail(tx, who.userId, now)
    const actor = who
    await createAutomaticMailing(tx, { id, content, tracked: false, by: actor }, now)
    await addToAutomaticMailing(tx, id, [userId], now)
    await requireNoObstacle(tx, id)
    const about = { userId, email: user.email }
    await recordAdminEvent(tx, actor, { event: 'personal_email_sent', about, now })
    return {}
  })
}

/** An email to the member with this id, or with the same text since yesterday that arrived or may have. */
const findEarlier = (tx: Tx, { id, userId, subject, text }: Wanted, now: Date) =>
  queryRows<{ id: string }>(
    tx,
    sql`select m.id from deliveries d join mailings m on m.id = d.mailing_id
      where d.user_id = ${userId}::uuid and m.kind = 'personal' and (m.id = ${id}::uuid or (
        m.content ->> 'subject' = ${subject} and m.content ->> 'intro' = ${text}
        and m.created_at > ${new Date(now.getTime() - sameTextHours * 3_600_000).toISOString()}::timestamptz
        and d.status in ('pending', 'sending', 'submitted', 'unknown')))`,
  )

async function countEmail(tx: Tx, staffId: string, now: Date) {
  const { points, windowSeconds } = sendLimit
  const used = await consumePoint(tx, userCounterKey(staffId, 'personal-emails'), windowSeconds, now)
  if (used.points > points) throw rateLimitError({ what: 'personal emails', until: used.expiresAt, now })
}

/** A suppressed delivery is an answer here, not a record. */
async function requireNoObstacle(tx: Tx, mailingId: string) {
  const [delivery] = await queryRows<{ cause: DeliveryCause | null }>(
    tx,
    sql`select cause from deliveries where mailing_id = ${mailingId}::uuid`,
  )
  const cause = delivery ? delivery.cause : 'account_gone'
  if (!cause) return
  const message = `This member can’t get a personal email: ${deliveryCauses[cause].toLowerCase()}.`
  throw new AppError('member_not_eligible', { message })
}

type ListDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'newsletterMailer'>
const maxItems = 50

/** @throws AppError not_found */
export async function listPersonalEmails(deps: ListDeps, userId: string): Promise<PersonalEmails> {
  const { db } = deps.database
  const [rows, from, { receives, cause }, [choices]] = await Promise.all([
    queryRows<SentPersonalEmail>(
      db,
      sql`select m.id, m.subject, m.content ->> 'intro' as text, m.created_at as at, d.status, d.cause,
          coalesce((select u.email from auth.users u where u.id = m.created_by_id), m.created_by) as by
        from deliveries d join mailings m on m.id = d.mailing_id
        where d.user_id = ${userId}::uuid and m.kind = 'personal'
        order by m.created_at desc, m.id desc limit ${maxItems}`,
    ),
    readListSender(deps),
    readMember(deps, unsentPersonalEmail, userId),
    queryRows<{ has_unsubscribed: boolean }>(
      db,
      sql`select coalesce(prefs.drops = 'off' or not prefs.news, false) as has_unsubscribed
        from auth.users u left join email_preferences prefs on prefs.user_id = u.id
        where u.id = ${userId}::uuid and u.deleted_at is null`,
    ),
  ])
  if (!choices) throw new AppError('not_found')
  return {
    items: rows.map((row) => ({ ...row, at: new Date(row.at).toISOString() })),
    replyTo: from.replyTo ?? from.address,
    obstacle: receives ? null : (cause ?? 'unconfirmed'),
    hasUnsubscribed: choices.has_unsubscribed,
  }
}
