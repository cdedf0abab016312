import { eq, ne, type SQL, sql } from 'drizzle-orm'
import { queryRows, type Tx } from '#server/db/database.ts'
import { isOnHold } from '#server/db/restore-hold.ts'
import { series } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { minuteMs } from '#shared/domain/durations.ts'
import { readSegment, type Segment } from './check-trigger.ts'
import { readSeriesRow, type SeriesRow } from './series-row.ts'

export type SeriesDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'logger'>

const batchSize = 1_000
/** Facts whose transaction was committed late are found up to this much later. */
const overlap = sql`interval '2 days'`

/**
 * Lets members enter the series whose trigger happened to them. Deleting the events and inserting the entries are one
 * transaction, so that a crash forgets no one; a second worker skips the locked events.
 */
export async function enterByEvents({ database, clock }: SeriesDeps): Promise<void> {
  if (await isOnHold(database.db)) return
  for (let taken = batchSize; taken === batchSize; ) {
    taken = await database.db.transaction(async (tx) => {
      // Users first, so that a concurrent deletion of an account can't deadlock.
      const events = await queryRows<{ kind: string; userId: string; seriesId: string | null; bySeries: boolean }>(
        tx,
        sql`delete from series_event where id in (
            select e.id from series_event e join auth.users u on u.id = e.user_id
            order by e.id limit ${batchSize} for key share of u skip locked for update of e skip locked)
          returning kind, user_id as "userId", series_id as "seriesId", by_series as "bySeries"`,
      )
      if (events.length === 0) return 0
      const candidates = sql`select s.id as series_id, e."userId" as user_id, e."bySeries" as by_series
        from jsonb_to_recordset(${JSON.stringify(events)}::jsonb)
          as e (kind text, "userId" uuid, "seriesId" uuid, "bySeries" boolean)
        join series s on s.status <> 'off' and s.trigger ->> 'kind' = e.kind and s.id = coalesce(e."seriesId", s.id)`
      await enter(tx, candidates, clock())
      return events.length
    })
  }
}

/**
 * Lets members enter whose moment came with time: so many days before a renewal, or after the last activity. The moments
 * between the last look and now are read from an index.
 */
export async function enterByTime({ database, clock }: SeriesDeps): Promise<void> {
  if (await isOnHold(database.db)) return
  const found = await database.db.select().from(series).where(ne(series.status, 'off')).orderBy(series.id)
  for (const { id, trigger } of found.map(readSeriesRow)) {
    if (trigger.kind !== 'before_renewal' && trigger.kind !== 'inactive') continue
    const days = sql`make_interval(days => ${trigger.days})`
    for (let entered = batchSize; entered === batchSize; ) {
      entered = await database.db.transaction((tx) => enterBatch(tx, id, trigger.kind, days, clock()))
    }
  }
}

async function enterBatch(
  tx: Tx,
  id: string,
  kind: 'before_renewal' | 'inactive',
  days: SQL,
  now: Date,
): Promise<number> {
  const at = sql`${now.toISOString()}::timestamptz`
  const [row] = await queryRows<{ since: string }>(
    tx,
    sql`select greatest(coalesce(scanned_until, turned_on_at) - ${overlap}, turned_on_at)::text as since from series
      where id = ${id}::uuid and status <> 'off' for no key update skip locked`,
  )
  if (!row) return 0
  const since = sql`${row.since}::timestamptz`
  // Bare columns, so that their indexes are used.
  const isNow =
    kind === 'inactive'
      ? sql`f.last_active_at > ${since} - ${days} and f.last_active_at <= ${at} - ${days}`
      : sql`f.renews_at > ${since} + ${days} and f.renews_at <= ${at} + ${days} and f.plan_status in ('active', 'trialing')`
  const entered = await enter(
    tx,
    sql`select ${id}::uuid as series_id, f.user_id, false as by_series from member_facts f where ${isNow}`,
    now,
    batchSize,
  )
  // A clock that was set back doesn't look at the same time again.
  if (entered < batchSize) {
    await tx.execute(sql`update series set scanned_until = greatest(scanned_until, ${at}) where id = ${id}::uuid`)
  }
  return entered
}

/**
 * Inserts entries for candidates (series_id, user_id, by_series) who weren't in the series, or may enter again. What a
 * series made happen lets no one enter a second time, so that series can't run in circles. @returns how many
 */
async function enter(tx: Tx, candidates: SQL, now: Date, limit?: number): Promise<number> {
  const at = sql`${now.toISOString()}::timestamptz`
  const entered = await queryRows(
    tx,
    sql`
    insert into series_entry (series_id, user_id, round, entered_at, due_at)
    select distinct on (c.series_id, c.user_id) c.series_id, c.user_id, coalesce(last.round, 0) + 1, ${at}, ${at}
    from (${candidates}) as c
    join series s on s.id = c.series_id
    join auth.users u on u.id = c.user_id and u.deleted_at is null and not u.is_anonymous
    left join lateral (
      select round, entered_at, ended_at from series_entry p
      where p.series_id = c.series_id and p.user_id = c.user_id order by round desc limit 1
    ) as last on true
    where last.round is null or (not c.by_series and last.ended_at is not null
      and last.entered_at <= ${at} - make_interval(days => s.reentry_days))
    order by c.series_id, c.user_id
    ${limit === undefined ? sql`` : sql`limit ${limit}`}
    on conflict do nothing
    returning 1`,
  )
  return entered.length
}

/** A look reads all facts that the filter needs. */
const lookEveryMs = 15 * minuteMs
/** Members who enter in one statement. */

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
