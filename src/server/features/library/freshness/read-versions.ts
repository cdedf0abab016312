import { type SQL, sql } from 'drizzle-orm'
import { type Db, queryRows } from '#server/db/database.ts'
import { readTimeZone } from '#server/db/publication-setting.ts'
import type { ItemMark, ItemMarks } from '#shared/contracts/reader/item-marks.ts'
import type { ItemRef } from '#shared/domain/content-items.ts'
import { isOutdated } from '#shared/domain/item-uses.ts'
import { localTimeOf } from '#shared/domain/zoned-time.ts'

type VersionRow = ItemRef & { version: number; changed_at: Date | string; valid_until: string | null }

/** Versions and last days of items that have changed or that expire. `where` is a condition on `content_items`. */
export async function readVersions(db: Db, where: SQL, now: Date): Promise<ItemMarks['versions']> {
  const rows = await queryRows<VersionRow>(
    db,
    sql`select kind, id, version, changed_at, valid_until::text from content_items
      where ${where} and removed_at is null and (version > 1 or valid_until is not null)`,
  )
  const expires = rows.some(({ valid_until }) => valid_until !== null)
  const today = expires ? localTimeOf(now.toISOString(), await readTimeZone(db)).slice(0, 10) : ''
  return rows.map(({ kind, id, version, changed_at, valid_until: validUntil }) => ({
    kind,
    id,
    version,
    changedAt: new Date(changed_at).toISOString(),
    validUntil,
    outdated: isOutdated(validUntil, today),
  }))
}

type ChangeRow = ItemRef & { version: number; changed_at: Date | string; note: string }

/** Changes since the reader kept an item, without dismissed ones. `where` is a condition on the readers' tables. */
export async function readUnseenChanges(
  db: Db,
  userId: string,
  where: SQL,
): Promise<(ItemRef & NonNullable<ItemMark['changed']>)[]> {
  const rows = await queryRows<ChangeRow>(
    db,
    sql`select i.kind, i.id, i.version, i.changed_at, coalesce((
        select string_agg(c.note, ' ' order by c.version) from item_changes c
        where c.kind = i.kind and c.item_id = i.id and c.changed_at > k.at and c.note <> ''), '') as note
      from (${keptItemsSql(sql`user_id = ${userId}::uuid and ${where}`)}) as k
      join content_items i on i.kind = k.kind and i.id = k.item_id
      left join seen_changes s on s.user_id = k.user_id and s.kind = k.kind and s.item_id = k.item_id
      where i.version > 1 and i.changed_at > k.at and i.removed_at is null and coalesce(s.version, 0) < i.version`,
  )
  return rows.map(({ kind, id, version, changed_at, note }) => ({
    kind,
    id,
    version,
    changedAt: new Date(changed_at).toISOString(),
    note,
  }))
}

/** When each reader last saved, copied or downloaded an item: `user_id`, `kind`, `item_id`, `at`. */
export const keptItemsSql = (where: SQL): SQL => sql`
  select user_id, kind, item_id, max(at) as at from (
    select user_id, kind, item_id, at from saved_items where saved and ${where}
    union all
    select user_id, kind, item_id, last_at as at from item_uses where ${where}
  ) as kept group by user_id, kind, item_id`
