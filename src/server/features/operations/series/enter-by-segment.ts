import { eq, ne, type SQL, sql } from 'drizzle-orm'
import { queryRows, type Tx } from '#server/db/database.ts'
import { isOnHold } from '#server/db/restore-hold.ts'
import { series } from '#server/db/schema/index.ts'
import { minuteMs } from '#shared/domain/durations.ts'
import { readSegment, type Segment } from './check-trigger.ts'
import { enter, type SeriesDeps } from './enter-series.ts'
import { readSeriesRow, type SeriesRow } from './series-row.ts'

/** A look reads all facts that the filter needs. */
const lookEveryMs = 15 * minuteMs
/** Members who enter in one statement. */
const batchSize = 1_000

/**
 * Lets members enter who joined the view or segment that a series waits for since the last look. The first look, and the
 * first after a change of the view's filter, only note who is in it.
 */
export async function enterBySegment(deps: SeriesDeps): Promise<void> {
  const { db } = deps.database
  if (await isOnHold(db)) return
  const found = await db.select().from(series).where(ne(series.status, 'off')).orderBy(series.id)
  for (const { id, trigger } of found.map(readSeriesRow)) {
    if (trigger.kind !== 'joined_segment') continue
    try {
      await db.transaction((tx) => look(tx, deps, id))
    } catch (error) {
      // Continue with the other series; the next minute tries again.
      if (!(error instanceof Error)) throw error
      deps.logger.error({ err: error, series: id }, 'the segment of a series couldn’t be compared')
    }
  }
}

/** The lock on the series keeps out other nodes, so that each join is seen once. */
async function look(tx: Tx, { config, clock }: SeriesDeps, id: string): Promise<void> {
  const [row] = await tx
    .select()
    .from(series)
    .where(sql`${series.id} = ${id}::uuid and ${series.status} <> 'off'`)
    .for('no key update', { skipLocked: true })
  if (!row) return
  const current = readSeriesRow(row)
  const now = clock()
  if (current.trigger.kind !== 'joined_segment' || !isDue(current, now)) return
  const segment = await readSegment(tx, config, current.trigger, now)
  if (!segment) return
  if (current.segmentVersion === segment.version) {
    const joined = await updateMembers(tx, id, segment.where)
    for (let at = 0; at < joined.length; at += batchSize) {
      await enter(tx, candidates(id, joined.slice(at, at + batchSize), segment), now)
    }
  } else {
    await storeMembers(tx, id, segment.where)
  }
  await tx.update(series).set({ segmentVersion: segment.version, scannedUntil: now }).where(eq(series.id, id))
}

function isDue({ segmentVersion, scannedUntil }: SeriesRow, now: Date): boolean {
  if (segmentVersion === null || scannedUntil === null) return true
  const sinceMs = now.getTime() - scannedUntil.getTime()
  // Negative if the clock was set back.
  return sinceMs >= lookEveryMs || sinceMs < 0
}

async function storeMembers(tx: Tx, id: string, where: SQL): Promise<void> {
  await tx.execute(sql`delete from series_segment_member where series_id = ${id}::uuid`)
  await tx.execute(sql`insert into series_segment_member (series_id, user_id)
    select ${id}::uuid, f.user_id from member_facts f where ${where} order by f.user_id`)
}

/** @returns who joined */
async function updateMembers(tx: Tx, id: string, where: SQL): Promise<string[]> {
  const joined = await queryRows<{ userId: string }>(
    tx,
    sql`with present as materialized (select f.user_id from member_facts f where ${where}),
      gone as (delete from series_segment_member m where m.series_id = ${id}::uuid
        and not exists (select 1 from present p where p.user_id = m.user_id))
      insert into series_segment_member (series_id, user_id)
      select ${id}::uuid, p.user_id from present p
      where not exists (select 1 from series_segment_member m where m.series_id = ${id}::uuid and m.user_id = p.user_id)
      order by p.user_id
      returning user_id as "userId"`,
  )
  return joined.map(({ userId }) => userId)
}

/** A series made it happen if it changed a tag or field of the segment since the member last entered. */
function candidates(id: string, userIds: readonly string[], { tags, fields }: Segment): SQL {
  const bySeries = sql`exists (
    select 1 from series_entry e
    join series_step_result r on r.entry_id = e.id and r.outcome = 'done'
    join series s on s.id = e.series_id
    cross join jsonb_array_elements(s.steps) step
    where e.user_id = c.user_id and step ->> 'id' = r.step_id::text
      and (step ->> 'kind' = 'tag' and step ->> 'tag' in (select jsonb_array_elements_text(${JSON.stringify(tags)}::jsonb))
        or step ->> 'kind' = 'field' and step ->> 'field' in (select jsonb_array_elements_text(${JSON.stringify(fields)}::jsonb)))
      and r.at >= (select max(last.entered_at) from series_entry last
        where last.series_id = ${id}::uuid and last.user_id = c.user_id))`
  return sql`select ${id}::uuid as series_id, c.user_id, ${tags.length + fields.length > 0 ? bySeries : sql`false`} as by_series
    from unnest(${sql.param(`{${userIds.join(',')}}`)}::uuid[]) as c (user_id)`
}
