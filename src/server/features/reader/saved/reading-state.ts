import { sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '#server/db/database.ts'
import type { markReadCall, savePositionCall } from '#shared/contracts/reader/saved.ts'
import { changeInstant } from '#shared/domain/change-instant.ts'

/** Keeps the earliest reading of each item, so that the order of arrival doesn't matter. */
export async function markRead(
  db: Db,
  userId: string,
  { items, at }: z.output<typeof markReadCall.input>,
  now: Date,
): Promise<void> {
  const readAt = changeInstant(at, now).toISOString()
  await db.execute(sql`
    insert into reading_state (user_id, kind, item_id, read_at)
      select ${userId}::uuid, c.kind, c.id, ${readAt}::timestamptz
        from jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as read(kind text, id text)
        join content_items c on c.kind = read.kind and c.id = read.id
        group by c.kind, c.id order by c.kind, c.id
      on conflict (user_id, kind, item_id) do update set read_at = excluded.read_at
        where excluded.read_at < reading_state.read_at`)
}

/** The newest position counts. An issue stays finished when its reader comes back to it. */
export async function savePosition(
  db: Db,
  userId: string,
  { issueId, sectionId, readSections, finished, at }: z.output<typeof savePositionCall.input>,
  now: Date,
): Promise<void> {
  const changed = changeInstant(at, now).toISOString()
  await db.execute(sql`
    insert into reading_state as stored (user_id, kind, item_id, read_at, position, position_at, finished_at)
      select ${userId}::uuid, 'issue', s.parent_id, ${changed}::timestamptz, s.id, ${changed}::timestamptz,
          case when ${finished}::boolean then ${changed}::timestamptz end
        from content_items s where s.kind = 'section' and s.id = ${sectionId} and s.parent_id = ${issueId}
      on conflict (user_id, kind, item_id) do update set
        read_at = least(stored.read_at, excluded.read_at),
        position = case when stored.position_at >= excluded.position_at then stored.position else excluded.position end,
        position_at = greatest(stored.position_at, excluded.position_at),
        finished_at = least(stored.finished_at, excluded.finished_at)`)
  const items = readSections.map((id) => ({ kind: 'section' as const, id }))
  if (items.length > 0) await markRead(db, userId, { items, at }, now)
}
