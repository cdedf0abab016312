import { type SQL, sql } from 'drizzle-orm'

/** Names of the newsletters that a member is subscribed to and that aren't retired, separated as an import reads them; null for none. */
export const newsletterNamesSql = (userId: SQL): SQL =>
  sql`(select string_agg(n.name, '; ' order by n.position, n.id) from newsletter_subscription s
    join newsletter n on n.id = s.newsletter_id where s.user_id = ${userId} and s.subscribed and n.retired_at is null)`
