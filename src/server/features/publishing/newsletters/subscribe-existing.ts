import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'

/**
 * Members that a new newsletter can be given to. Those who turned off drops and news stay out, as do those whose address
 * gets no email because they asked for it or complained.
 */
export const givenToEveryoneSql = sql`
  select u.id from auth.users u
    left join email_preferences p on p.user_id = u.id
    left join suppressions s on s.email = u.email and s.stream = 'all' and s.lifted_at is null
      and s.reason in ('complaint', 'unsubscribed', 'manual')
  where u.email is not null and u.deleted_at is null and not u.is_anonymous
    and not coalesce(p.drops = 'off' and not p.news, false) and s.id is null`

/** Subscribes today's members in one statement. */
export async function subscribeExisting(tx: Tx, newsletterId: number, now: Date): Promise<void> {
  await tx.execute(sql`insert into newsletter_subscription (newsletter_id, user_id, subscribed, changed_at)
    select ${newsletterId}::int, id, true, ${now.toISOString()}::timestamptz from (${givenToEveryoneSql}) members
    order by id on conflict do nothing`)
}
