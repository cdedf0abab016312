import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { mailings } from '#server/db/schema/index.ts'
import { createdBy, type Editor } from '#server/features/identity/auth/security/editor.ts'
import { eligibilitySql } from '#server/features/publishing/deliverability/eligibility-sql.ts'
import { everyone, type MailingContent } from '#shared/contracts/publishing/newsletter.ts'
import { memberSql } from './audience-sql.ts'
import { lockMailing } from './mailing-row.ts'

/** Creates a mailing without recipients, to which members are added as their turns come. @returns its id */
export async function createAutomaticMailing(
  tx: Tx,
  {
    id = randomUUID(),
    content,
    tracked,
    by,
    newsletterId = null,
  }: { id?: string; content: MailingContent; tracked: boolean; by?: Editor; newsletterId?: number | null },
  now: Date,
): Promise<string> {
  const { kind, subject, preheader } = content
  await tx.insert(mailings).values({
    id,
    kind,
    subject,
    preheader,
    status: 'sending',
    audience: { ...everyone, newsletterId },
    content,
    tracked,
    frozenAt: now,
    createdAt: now,
    ...(by && createdBy(by)),
    preparedAt: now,
    startedAt: now,
    updatedAt: now,
  })
  return id
}

/**
 * Adds members to an automatic mailing, which the sender then sends with all limits and suppressions. Those who may not
 * get it have a delivery too, with the reason. A member who is in the mailing already isn't added again, and a mailing
 * that is paused stays so.
 */
export async function addToAutomaticMailing(
  tx: Tx,
  mailingId: string,
  userIds: readonly string[],
  now: Date,
): Promise<void> {
  const { kind, status, audience } = await lockMailing(tx, mailingId)
  const { newsletterId } = audience
  const eligibility = eligibilitySql(kind, { user: sql`u`, email: sql`u.email`, now, newsletterId })
  await tx.execute(sql`
    insert into deliveries (mailing_id, user_id, email, domain, name, reader, status, cause, changed_at)
    select ${mailingId}::uuid, id, email, split_part(email, '@', 2), name, reader,
      case when cause is null then 'pending' else 'suppressed' end, cause, ${now.toISOString()}::timestamptz
    from (
      select u.id, ${memberSql},
        coalesce(${eligibility.cause}, case when u.email_confirmed_at is null then 'unconfirmed' end) as cause
      from auth.users u ${eligibility.joins} left join user_preferences answers on answers.user_id = u.id
      where u.id = any(${sql.param(`{${userIds.join(',')}}`)}::uuid[]) and u.email is not null and not u.is_anonymous
      order by u.id
    ) as members
    on conflict (user_id, mailing_id) do nothing`)
  if (status !== 'sent') return
  await tx
    .update(mailings)
    .set({ status: 'sending', finishedAt: null, updatedAt: now })
    .where(eq(mailings.id, mailingId))
}
