import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/db/database.ts'
import { queryRows } from '#server/db/query-rows.ts'

/** A visit ends when this time has passed since it started and since the reader last read something. */
export const visitPauseHours = 4

/**
 * Ids of the issues that were published after the reader's previous visit started and that aren't read. Opening the list
 * starts a visit if the last one has ended; this is the only write of a visit.
 */
export async function listNewIssues(db: Db, userId: string, now: Date, isOpening: boolean): Promise<string[]> {
  const [visit] = await queryRows<{ previous_at: Date | string; is_over: boolean }>(
    db,
    sql`select previous_at, ${hasEnded(now)} as is_over from reader_visits v where user_id = ${userId}::uuid`,
  )
  const starts = isOpening && (!visit || visit.is_over) ? await startVisit(db, userId, now) : null
  const since = starts ?? visit?.previous_at
  if (!since) return []
  const rows = await queryRows<{ id: string }>(
    db,
    sql`select i.id from issues i
      where i.published_at > ${new Date(since).toISOString()}::timestamptz
        and i.published_at <= ${now.toISOString()}::timestamptz
        and not exists (select 1 from reading_state r
          where r.user_id = ${userId}::uuid and r.kind = 'issue' and r.item_id = i.id)`,
  )
  return rows.map(({ id }) => id)
}

/** Of two tabs that start a visit at once, the second gets the visit of the first. */
async function startVisit(db: Db, userId: string, now: Date): Promise<Date | string | undefined> {
  const startedAt = sql`${now.toISOString()}::timestamptz`
  const [row] = await queryRows<{ previous_at: Date | string }>(
    db,
    sql`insert into reader_visits as v (user_id, started_at, previous_at)
        select ${userId}::uuid, ${startedAt},
          coalesce((select ${lastReading} from reading_state r where r.user_id = ${userId}::uuid), ${startedAt})
      on conflict (user_id) do update set
        previous_at = case when ${hasEnded(now)} then v.started_at else v.previous_at end,
        started_at = case when ${hasEnded(now)} then excluded.started_at else v.started_at end
      returning previous_at`,
  )
  return row?.previous_at
}

const lastReading = sql`max(greatest(r.read_at, r.position_at))`

const hasEnded = (now: Date): SQL => sql`greatest(v.started_at, (
    select ${lastReading} from reading_state r where r.user_id = v.user_id
  )) < ${now.toISOString()}::timestamptz - make_interval(hours => ${visitPauseHours}::int)`
