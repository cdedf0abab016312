import { sql } from 'drizzle-orm'
import { queryRows } from '#server/db/database.ts'
import type { Deps } from '#server/feature.ts'
import { readMember } from '#server/features/publishing/mailings/admin/read-member.ts'
import { readListSender } from '#server/features/publishing/sending-settings/sending-settings.ts'
import type { PersonalEmails, SentPersonalEmail } from '#shared/contracts/operations/personal-email.ts'
import { AppError } from '#shared/errors.ts'
import { unsentPersonalEmail } from './personal-email-content.ts'

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
