import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { queryRows } from '#server/db/database.ts'
import type { Deps } from '#server/feature.ts'
import { accessSql } from '#server/features/billing/subscriptions/access/read-access.ts'
import type { UserSupport } from '#shared/contracts/operations/member-support.ts'
import { deliveryCauses } from '#shared/contracts/publishing/newsletter.ts'

const lookBackDays = 60
const maxShown = 5

const rowsSchema = z.array(
  z.object({
    mailing_id: z.uuid(),
    subject: z.string(),
    sent_at: z.coerce.date(),
    cause: z.enum(Object.keys(deliveryCauses) as [keyof typeof deliveryCauses]).nullable(),
  }),
)

/**
 * Issues sent since the user joined that they didn't receive. Excludes users without access, and issues that they turned
 * off or get in a digest. An issue sent by two mailings is listed once.
 */
export async function findMissedIssues(
  { config, database, clock }: Pick<Deps, 'config' | 'database' | 'clock'>,
  { userId, joinedAt }: { userId: string; joinedAt: Date | null },
): Promise<UserSupport['missed']> {
  const now = clock()
  const since = new Date(Math.max(now.getTime() - lookBackDays * 86_400_000, joinedAt?.getTime() ?? 0))
  const access = accessSql(config, sql`u`, now)
  const rows = await queryRows(
    database.db,
    sql`select * from (
      select distinct on (m.issue_id) m.id as mailing_id, m.subject, m.started_at as sent_at, d.cause
      from mailings m left join deliveries d on d.mailing_id = m.id and d.user_id = ${userId}::uuid
      where exists (select from auth.users u ${access.joins}
          left join email_preferences preference on preference.user_id = u.id
          where u.id = ${userId}::uuid and ${access.entitled} and coalesce(preference.drops, 'weekly') = 'weekly')
        and m.kind = 'issue' and m.status = 'sent' and m.started_at > ${since.toISOString()}::timestamptz
        and not exists (select from deliveries got where got.user_id = ${userId}::uuid and got.issue_id = m.issue_id
          and got.status in ('pending', 'sending', 'submitted'))
      order by m.issue_id, m.started_at desc
    ) as missed
    where cause is null or cause not in ('unsubscribed', 'monthly')
    order by sent_at desc limit ${maxShown}`,
  )
  return rowsSchema.parse(rows).map(({ mailing_id: mailingId, subject, sent_at: sentAt, cause }) => ({
    mailingId,
    subject,
    sentAt: sentAt.toISOString(),
    cause,
  }))
}
