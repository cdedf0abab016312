import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'

/** Consecutive soft bounces after which an address is suppressed. */
const maxSoftBounces = 3

const texts = (values: readonly string[]) => sql`${sql.param(values)}::text[]`
const instant = (at: Date) => sql`${at.toISOString()}::timestamptz`

/** Reports before the latest lift of a suppression don't count. */
const afterLift = (email: SQL, stream: SQL, at: SQL) => sql`${at} > coalesce(
  (select max(lifted.lifted_at) from suppressions lifted where lifted.email = ${email} and lifted.stream = ${stream}),
  '-infinity')`

/**
 * Suppresses addresses with a hard bounce or several consecutive soft bounces. Emails that were blocked because of us don't
 * count. Idempotent: depends on recorded events only.
 */
export async function suppressBounced(tx: Tx, emails: readonly string[], now: Date): Promise<void> {
  if (emails.length === 0) return
  await tx.execute(sql`
    insert into suppressions (email, stream, reason, detail, mailing_id, created_at)
    select distinct on (e.email) e.email, 'all', 'hard_bounce', e.detail, d.mailing_id, ${instant(now)}
    from email_events e left join deliveries d on d.id = e.delivery_id
    where e.email = any(${texts(emails)}) and e.type = 'hard_bounce'
      and ${afterLift(sql`e.email`, sql`'all'`, sql`e.occurred_at`)}
    order by e.email, e.occurred_at, e.source, e.external_id
    on conflict (email, stream) where lifted_at is null do update
      set reason = excluded.reason, detail = excluded.detail, mailing_id = excluded.mailing_id
      where suppressions.reason in ('hard_bounce', 'soft_bounces')`)
  await tx.execute(sql`
    with occasions as (
      select d.email, d.changed_at as at, d.id, d.bounced_at is not null as bounced
      from deliveries d
      where d.email = any(${texts(emails)}) and d.status in ('submitted', 'unknown') and d.user_id in (
        select known.user_id from email_events e join deliveries known on known.id = e.delivery_id
          where e.email = any(${texts(emails)})
        union select u.id from auth.users u where u.email = any(${texts(emails)})
      ) and (d.bounced_at is null or (
        select bool_and(e.type = 'blocked') from email_events e
        where e.delivery_id = d.id and e.type in ('hard_bounce', 'soft_bounce', 'blocked')
      ) is not true)
      union all
      select e.email, date_trunc('day', e.occurred_at, 'UTC'), 0, true
      from email_events e where e.email = any(${texts(emails)}) and e.delivery_id is null and e.type = 'soft_bounce'
      group by 1, 2
    ), counted as (
      select email, count(*) filter (where bounced) over (
        partition by email order by at, id rows between ${sql.raw(String(maxSoftBounces - 1))} preceding and current row
      ) as consecutive
      from occasions where ${afterLift(sql`occasions.email`, sql`'all'`, sql`occasions.at`)}
    )
    insert into suppressions (email, stream, reason, detail, created_at)
    select distinct email, 'all', 'soft_bounces', ${`${maxSoftBounces} consecutive emails bounced`}, ${instant(now)}
    from counted where consecutive >= ${maxSoftBounces}
    on conflict (email, stream) where lifted_at is null do nothing`)
}

type Complainant = { email: string; userId: string | null }

/** Suppresses the stream reported as spam and turns it off in the preferences; all streams if the email is unknown. */
export async function suppressComplainants(tx: Tx, complaining: readonly Complainant[], now: Date): Promise<void> {
  if (complaining.length === 0) return
  const emails = [...new Set(complaining.map(({ email }) => email))]
  await tx.execute(sql`
    insert into suppressions (email, stream, reason, detail, mailing_id, created_at)
    select distinct on (e.email, s.stream) e.email, s.stream, 'complaint', e.detail, d.mailing_id, ${instant(now)}
    from email_events e
    left join deliveries d on d.id = e.delivery_id
    left join mailings m on m.id = d.mailing_id
    cross join (values ('drops'), ('news'), ('follow-ups'), ('assignments'), ('replies'), ('personal')
      union all select 'newsletter:' || n.id from newsletter n) as s (stream)
    where e.email = any(${texts(emails)}) and e.type = 'complaint'
      and ((m.id is null and s.stream <> 'personal') or s.stream = coalesce('newsletter:' || (m.audience ->> 'newsletterId'), case m.kind when 'news' then 'news' when 'series' then 'news' when 'follow-up' then 'follow-ups' when 'personal' then 'personal' else 'drops' end))
      and ${afterLift(sql`e.email`, sql`s.stream`, sql`e.occurred_at`)}
    order by e.email, s.stream, e.occurred_at, e.source, e.external_id
    on conflict (email, stream) where lifted_at is null do update
      set detail = excluded.detail, mailing_id = excluded.mailing_id where suppressions.reason = 'complaint'`)
  await tx.execute(sql`
    with stopped as (
      select u.id, bool_or(s.stream = 'drops') as drops, bool_or(s.stream = 'news') as news,
        bool_or(s.stream = 'follow-ups') as follow_ups, bool_or(s.stream = 'assignments') as assignments,
        bool_or(s.stream = 'replies') as replies
      from jsonb_to_recordset(${JSON.stringify(complaining)}::jsonb) as c (email text, "userId" uuid)
      join suppressions s on s.email = c.email and s.reason = 'complaint' and s.lifted_at is null
      join auth.users u on u.id = c."userId" or (c."userId" is null and u.email = c.email)
      group by u.id
    )
    insert into email_preferences (user_id, drops, news, follow_ups, assignments, replies, updated_at)
    select id, case when drops then 'off' else 'weekly' end, not news, not follow_ups, not assignments,
      case when replies then 'off' else 'at-once' end, ${instant(now)} from stopped order by id
    on conflict (user_id) do update set
      drops = case when excluded.drops = 'off' then 'off' else email_preferences.drops end,
      news = email_preferences.news and excluded.news,
      follow_ups = email_preferences.follow_ups and excluded.follow_ups,
      assignments = email_preferences.assignments and excluded.assignments,
      replies = case when excluded.replies = 'off' then 'off' else email_preferences.replies end, updated_at = excluded.updated_at`)
  await tx.execute(sql`
    update newsletter_subscription chosen set subscribed = false, changed_at = ${instant(now)}
    from jsonb_to_recordset(${JSON.stringify(complaining)}::jsonb) as c (email text, "userId" uuid)
      join suppressions s on s.email = c.email and s.reason = 'complaint' and s.lifted_at is null
      join auth.users u on u.id = c."userId" or (c."userId" is null and u.email = c.email)
    where chosen.user_id = u.id and chosen.subscribed and s.stream = 'newsletter:' || chosen.newsletter_id`)
}
