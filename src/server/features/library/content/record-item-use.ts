import { sql } from 'drizzle-orm'
import { type Db, queryRows } from '#server/db/database.ts'
import type { ItemRef } from '#shared/domain/content-items.ts'
import type { ItemUse } from '#shared/domain/item-uses.ts'

type Use = ItemRef & { use: ItemUse }

/**
 * Records that a reader copied or downloaded an item. Keeps the first and the last time, in whatever order they arrive.
 * Null if the item was never published.
 */
export async function recordItemUse(db: Db, userId: string, { kind, id, use }: Use, at: Date) {
  const instant = at.toISOString()
  const [row] = await queryRows<{ first_at: Date | string; last_at: Date | string }>(
    db,
    sql`insert into item_uses as u (user_id, kind, item_id, use, first_at, last_at)
      select ${userId}::uuid, i.kind, i.id, ${use}::text, ${instant}::timestamptz, ${instant}::timestamptz
      from content_items i where i.kind = ${kind} and i.id = ${id}
      on conflict (user_id, kind, item_id, use) do update
        set first_at = least(u.first_at, excluded.first_at), last_at = greatest(u.last_at, excluded.last_at)
      returning first_at, last_at`,
  )
  return row ? { firstAt: new Date(row.first_at).toISOString(), lastAt: new Date(row.last_at).toISOString() } : null
}
