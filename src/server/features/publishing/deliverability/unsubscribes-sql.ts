import { type SQL, sql } from 'drizzle-orm'

/**
 * Members who turned off drops, news, follow-ups or a newsletter since then and didn't return: a row for each save, with
 * `newsletters`, the names of those that the publisher added. Complaints are counted apart.
 */
export const unsubscribesSql = (since: Date): SQL => sql`
  select user_id, at, bool_or(newsletter is null) as built_in,
    coalesce(array_agg(newsletter order by newsletter) filter (where newsletter is not null), '{}') as newsletters
  from (
    select user_id, unsubscribed_at as at, null as newsletter from email_preferences
    where unsubscribed_at >= ${since.toISOString()}::timestamptz
    union all
    select c.user_id, c.changed_at, n.name
    from newsletter_subscription c join newsletter n on n.id = c.newsletter_id
    where not c.subscribed and c.changed_at >= ${since.toISOString()}::timestamptz and not exists (
      select from auth.users u join suppressions s on s.email = u.email
      where u.id = c.user_id and s.stream = 'newsletter:' || n.id and s.reason = 'complaint' and s.lifted_at is null)
  ) as off group by user_id, at`
