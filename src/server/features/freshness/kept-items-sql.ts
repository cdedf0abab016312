import { type SQL, sql } from 'drizzle-orm'

/** When each reader last saved, copied or downloaded an item: `user_id`, `kind`, `item_id`, `at`. */
export const keptItemsSql = (where: SQL): SQL => sql`
  select user_id, kind, item_id, max(at) as at from (
    select user_id, kind, item_id, at from saved_items where saved and ${where}
    union all
    select user_id, kind, item_id, last_at as at from item_uses where ${where}
  ) as kept group by user_id, kind, item_id`
