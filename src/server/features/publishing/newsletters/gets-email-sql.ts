import { sql } from 'drizzle-orm'

/** True if any stream or newsletter is on, for a user `u` with the preferences `p`, which may be missing. */
export const getsEmailSql = sql`(coalesce(p.drops <> 'off' or p.news or p.follow_ups, true) or exists (
  select 1 from newsletter_subscription s where s.user_id = u.id and s.subscribed))`
