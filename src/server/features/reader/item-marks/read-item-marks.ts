import { type SQL, sql } from 'drizzle-orm'
import { type Db, queryRows } from '#server/db/database.ts'
import { readUnseenChanges, readVersions } from '#server/features/library/freshness/read-versions.ts'
import { readFirstWeek } from '#server/features/reader/first-week/first-week.ts'
import { type ItemMark, type ItemMarks, type MarksScope, unmarked } from '#shared/contracts/reader/item-marks.ts'
import { type ContentKind, type ItemRef, itemKey } from '#shared/domain/content-items.ts'
import type { FranchisorRule, RuleTopic } from '#shared/domain/franchisor-rules.ts'
import { minAnswers, type TryOutcome } from '#shared/domain/try-outcomes.ts'
import type { Publication } from '#shared/publication-defaults.ts'

/** A visit ends when this time has passed since it started and since the reader last read something. */
const visitPauseHours = 4

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

/** If two tabs start a visit at once, the second gets the visit of the first. */
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

/** The reader's marks on the items of a page. */
export async function readItemMarks(
  db: Db,
  publication: Publication,
  userId: string,
  scope: MarksScope,
  now: Date,
): Promise<Omit<ItemMarks, 'canAssign' | 'openAssignments' | 'newIssues' | 'nextDeadline'>> {
  const [saved, read, assigned, rules, tried, totals, changed, versions, continueReading, firstWeek] =
    await Promise.all([
      queryRows<SavedRow>(
        db,
        sql`select kind, item_id as id, saved, at from saved_items where user_id = ${userId}::uuid and ${inScope(scope)}`,
      ),
      queryRows<ReadRow>(
        db,
        sql`select kind, item_id as id, read_at, position, finished_at from reading_state
        where user_id = ${userId}::uuid and ${inScope(scope)}`,
      ),
      queryRows<ItemRef & { count: number }>(db, countAssigned(userId, scope)),
      queryRows<{ topic: RuleTopic; rule: FranchisorRule }>(
        db,
        sql`select topic, rule from franchisor_rules where user_id = ${userId}::uuid`,
      ),
      queryRows<TriedRow>(
        db,
        sql`select kind, item_id as id, outcome from tries
        where user_id = ${userId}::uuid and outcome is not null and ${inScope(scope)}`,
      ),
      queryRows<TotalsRow>(
        db,
        sql`select kind, item_id as id, worked, worked_with_changes, did_not_work from try_totals
        where worked + worked_with_changes + did_not_work >= ${minAnswers} and ${inScope(scope)}`,
      ),
      readUnseenChanges(db, userId, inScope(scope)),
      readVersions(db, itemsInScope(scope), now),
      scope.kind === 'issues' ? readContinue(db, userId) : null,
      scope.kind === 'issues' ? readFirstWeek(db, publication, userId, now) : null,
    ])
  const marks = new Map<string, ItemMark>()
  const markOf = ({ kind, id }: ItemRef): ItemMark => {
    const key = itemKey({ kind, id })
    const mark = marks.get(key) ?? { kind, id, ...unmarked }
    marks.set(key, mark)
    return mark
  }
  for (const row of saved) Object.assign(markOf(row), { saved: row.saved, savedAt: iso(row.at) })
  for (const row of read) {
    const { read_at, finished_at, position } = row
    Object.assign(markOf(row), { readAt: iso(read_at), finishedAt: iso(finished_at), position })
  }
  for (const row of tried) Object.assign(markOf(row), { tried: row.outcome })
  for (const row of totals) {
    const { worked, worked_with_changes: workedWithChanges, did_not_work: didNotWork } = row
    Object.assign(markOf(row), { totals: { worked, workedWithChanges, didNotWork } })
  }
  for (const { kind, id, ...change } of changed) Object.assign(markOf({ kind, id }), { changed: change })
  for (const row of assigned) markOf(row).assigned = row.count
  return {
    items: [...marks.values()],
    versions,
    rules: Object.fromEntries(rules.map(({ topic, rule }) => [topic, rule])),
    continueReading,
    firstWeek,
  }
}

type SavedRow = ItemRef & { saved: boolean; at: Date | string }
type ReadRow = ItemRef & { read_at: Date | string; position: string | null; finished_at: Date | string | null }

type TriedRow = ItemRef & { outcome: TryOutcome }
type TotalsRow = ItemRef & { worked: number; worked_with_changes: number; did_not_work: number }

/** Open assignments to the reader or to the locations of the reader's seat, in the team that the reader is in now. */
const isOpenFor = (userId: string): SQL => sql`not a.done and not a.removed
  and (a.assignee_id = ${userId}::uuid
    or a.location_id in (select l.location_id from team_seat_location l where l.user_id = ${userId}::uuid))
  and (a.owner_id = ${userId}::uuid
    or a.owner_id in (select s.owner_id from team_seat s where s.user_id = ${userId}::uuid))`

const countAssigned = (userId: string, scope: MarksScope): SQL => sql`
  select kind, item_id as id, count(*)::int as count from team_assignment a
    where ${isOpenFor(userId)} and ${inScope(scope)} group by kind, item_id`

/** The reader's open assignments on all pages; null if there are none. */
export async function readOpenAssignments(db: Db, userId: string): Promise<ItemMarks['openAssignments']> {
  const [row] = await queryRows<{ count: number; title: string; due_on: string | null; created_at: Date | string }>(
    db,
    sql`select count(*) over ()::int as count, coalesce(nullif(a.title, ''), i.title) as title, a.due_on::text as due_on, a.created_at
      from team_assignment a
      left join content_items i on i.kind = a.kind and i.id = a.item_id
      where ${isOpenFor(userId)}
      order by a.due_on nulls last, a.created_at, a.id limit 1`,
  )
  if (!row) return null
  const { count, title, due_on: dueOn, created_at } = row
  return { count, next: { title, dueOn, assignedAt: new Date(created_at).toISOString() } }
}

/** The reader's first open date that passed, is within a month, or was reminded of in the last week; null without one. */
export async function readNextDeadline(db: Db, userId: string, now: Date): Promise<ItemMarks['nextDeadline']> {
  const today = sql`${now.toISOString().slice(0, 10)}::date`
  const [row] = await queryRows<NonNullable<ItemMarks['nextDeadline']>>(
    db,
    sql`select concat_ws(', ', d.title, b.name) as title, d.due_on::text as "dueOn", count(*) over ()::int as count
      from deadline d left join business_location b on b.id = d.location_id
      where d.user_id = ${userId}::uuid and not d.done
        and (d.due_on <= ${today} + 30 or d.due_on - d.lead_days between ${today} - 7 and ${today})
      order by d.due_on, d.created_at limit 1`,
  )
  return row ?? null
}

const iso = (instant: Date | string | null) => instant && new Date(instant).toISOString()

const kindOf: Record<'issues' | 'prompts' | 'guides' | 'tools', ContentKind> = {
  issues: 'issue',
  prompts: 'prompt',
  guides: 'guide',
  tools: 'tool',
}

/** A condition on `kind` and `item_id` that the primary keys of the readers' tables can answer. */
function inScope(scope: MarksScope): SQL {
  if (scope.kind !== 'issue') return sql`kind = ${kindOf[scope.kind]}`
  const issue = sql`select id from issues where slug = ${scope.slug} and published_at is not null`
  return sql`(kind, item_id) in (
    select 'issue', id from (${issue}) i
    union all select 'section', s.id from issue_sections s where s.issue_id in (${issue}))`
}

/** The same as a condition on `kind` and `id` of `content_items`. */
const itemsInScope = (scope: MarksScope): SQL =>
  scope.kind === 'issue'
    ? sql`kind = 'section' and parent_id in (select id from issues where slug = ${scope.slug} and published_at is not null)`
    : sql`kind = ${kindOf[scope.kind]}`

async function readContinue(db: Db, userId: string): Promise<ItemMarks['continueReading']> {
  const [row] = await queryRows<{ slug: string; title: string; section: string; heading: string }>(
    db,
    sql`select i.slug, i.title, s.id as section, coalesce(nullif(s.heading, ''), i.title) as heading from reading_state r
      join issues i on i.id = r.item_id and i.published_at is not null
      join issue_sections s on s.id = r.position
      where r.user_id = ${userId}::uuid and r.finished_at is null and r.position_at is not null
      order by r.position_at desc limit 1`,
  )
  return row ? { slug: row.slug, title: row.title, section: { id: row.section, heading: row.heading } } : null
}
