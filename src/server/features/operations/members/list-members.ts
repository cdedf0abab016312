import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Config } from '#server/config/config.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { queryRows } from '#server/db/query-rows.ts'
import { planOfProduct } from '#server/features/billing/subscriptions/plan-ids.ts'
import {
  boundsSql,
  type MemberFilterSql,
  memberFilterSql,
  readFilterContext,
  statusSql,
} from '#server/features/publishing/segments/filter-sql.ts'
import { decodeCursor, encodeCursor } from '#server/http/cursor.ts'
import type { ListedMember, MemberOrder } from '#shared/contracts/operations/members.ts'
import { dayMs, type MemberFilter, type MemberStatus, memberStatuses } from '#shared/domain/member-filter.ts'
import { type AiLevel, aiLevelLabels } from '#shared/domain/preferences.ts'
import { memberNameSql } from './member-name.ts'

type Deps = { config: Pick<Config, 'stripe'>; db: Db }

const defaultPageSize = 50

export type ReadLimits = {
  /** Rows that are read in the order of the list before the index on tokens is used. */
  maxRows: number
  /** Members of a quarter that match in the index, above which the quarter isn't read at once. */
  maxCandidates: number
}
const defaultLimits: ReadLimits = { maxRows: 1_000, maxCandidates: 300 }

type Order = {
  column: SQL
  /** The bounds of the filter for this column. */
  period: 'joined' | 'renews' | null
  direction: SQL
  comparison: SQL
}
const descending = { direction: sql`desc`, comparison: sql`<` }
const ascending = { direction: sql`asc`, comparison: sql`>` }
const orders: Record<MemberOrder, Order> = {
  newest: { column: sql`f.created_at`, period: 'joined', ...descending },
  oldest: { column: sql`f.created_at`, period: 'joined', ...ascending },
  renewal: { column: sql`f.renews_at`, period: 'renews', ...ascending },
  active: { column: sql`f.last_active_at`, period: null, ...descending },
}

type Query = { filter: MemberFilter; order: MemberOrder; cursor?: string | null; limit?: number }

/**
 * A keyset page of the members that match. PostgreSQL's statistics don't know how filters depend on each other and on the
 * time of joining, so it isn't left to choose one plan for all. The first attempt reads a limited number of rows in the
 * order of the list, which is enough for a filter that many members match. The second one intersects the filters in the
 * index by the time of joining and stops at a full page: however the members are spread, it reads few others.
 */
export async function listMembers({ config, db }: Deps, query: Query, now: Date, limits = defaultLimits) {
  const { filter, order, cursor, limit = defaultPageSize } = query
  const compiled = memberFilterSql(config, filter, now, await readFilterContext(db, filter, now))
  const position = cursor ? decodeCursor(cursor, positionSchema) : null
  const rows = await findPage(db, { ...compiled, order, position, limit: limit + 1 }, statusSql(config, now), limits)
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    items: shown.map((row) => asListedMember(config, row, now)),
    nextCursor: rows.length > limit && last ? encodeCursor([last.position, last.id]) : null,
  }
}

/** The last row's value of the order's column, as text in UTC with microseconds, and its id. */
const positionSchema = z.tuple([
  z
    .string()
    .regex(/^(-?infinity|\d{4}-\d\d-\d\d ([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?)$/)
    .refine(
      (text) => text.endsWith('infinity') || (text >= '0001' && z.iso.date().safeParse(text.slice(0, 10)).success),
    ),
  z.uuid(),
])

type Page = MemberFilterSql & { order: MemberOrder; position: z.output<typeof positionSchema> | null; limit: number }
type Selected = ReturnType<typeof statusSql>

async function findPage(db: Db, page: Page, selected: Selected, limits: ReadLimits): Promise<Row[]> {
  const { column, period, direction } = orders[page.order]
  const position = sql`${afterPosition(page)} and ${period ? boundsSql(column, page[period]) : sql`true`}`
  const inOrder = sql`select f.* from member_facts f where ${position}
    order by ${column} ${direction}, f.user_id ${direction} limit ${limits.maxRows}`
  const walked = await readRows(db, page, sql`(${inOrder}) f where ${page.where}`, selected)
  if (walked.length === page.limit) return walked
  return db.transaction(async (tx) => {
    await tx.execute(sql`select set_config('enable_seqscan', 'off', true),
      set_config('max_parallel_workers_per_gather', '0', true)`)
    const matching =
      period === 'joined'
        ? byJoinedSql(page, position, limits)
        : sql`select f.* from (select f.* from member_facts f
              where ${page.indexed} and ${position} and ${boundsSql(sql`f.created_at`, page.joined)} offset 0) f
            where ${page.where}`
    return readRows(tx, page, sql`(${matching}) f`, selected)
  })
}

/**
 * The matches in the order of the list, as long as the page isn't full, by quarters of a year of joining. A quarter with
 * many candidates is read by quarters of a month. So the index is asked seldom for a filter that few match, and few rows are
 * read for a filter that many match, however they are spread. Nested loops keep the order of the periods. The candidates
 * have no order inside, so that only conditions decide which indexes are used.
 */
function byJoinedSql(page: Page, position: SQL, { maxCandidates }: ReadLimits): SQL {
  const { order, limit, indexed, where, joined } = page
  const { column, direction } = orders[order]
  const isOldest = order === 'oldest'
  const byPosition = sql`${column} ${direction}, f.user_id ${direction}`
  const quarter = (after: SQL) => sql`(select date_trunc('quarter', ${column} at time zone 'UTC') from member_facts f
    where ${position} and ${after} order by ${byPosition} limit 1)`
  const beyond = isOldest
    ? sql`${column} >= (q.start + interval '3 months') at time zone 'UTC'`
    : sql`${column} < q.start at time zone 'UTC'`
  // "is true" keeps the index on the time of joining out: it would find the members of years for one quarter.
  const bounds = !page.position && isWide(joined) ? sql`(${position}) is true` : position
  const candidates = (period: SQL) => sql`select f.* from member_facts f
    where f.tokens && array['joined:' || ${period}] and ${indexed} and ${bounds}`
  const matches = (rows: SQL) => sql`select f.* from ${rows} f where ${where} order by ${byPosition} limit ${limit}`
  const partsInOrder = isOldest ? sql`generate_series(0, 11)` : sql`generate_series(11, 0, -1)`
  const part = sql`to_char(q.start + p.n / 4 * interval '1 month', 'YYYY-MM-') || p.n % 4`
  return sql`with recursive quarters (start) as (
      select ${quarter(sql`true`)} union all select ${quarter(beyond)} from quarters q where q.start is not null
    )
    select found.* from quarters q cross join lateral (
      with candidates as materialized (
        ${candidates(sql`to_char(q.start, 'YYYY-"Q"Q')`)} limit ${maxCandidates + 1}
      ), size (is_large) as materialized (
        select count(*) > ${maxCandidates}::int from candidates
      )
      (select f.* from size s cross join lateral (${matches(sql`candidates`)}) f where not s.is_large)
      union all
      (select f.* from (select n from size s, ${partsInOrder} n where s.is_large) p cross join lateral (
        ${matches(sql`(${candidates(part)} offset 0)`)}) f limit ${limit})
    ) found where q.start is not null limit ${limit}`
}

const quarterMs = 92 * dayMs
const isWide = ({ from, to }: Page['joined']) => !from || !to || to.getTime() - from.getTime() > quarterMs

function afterPosition({ order, position }: Page): SQL {
  if (!position) return sql`true`
  const { column, comparison } = orders[order]
  return sql`(${column}, f.user_id) ${comparison} (${instantOf(position[0])}, ${position[1]}::uuid)`
}

const instantOf = (text: string) => sql`(${text}::timestamp at time zone 'UTC')`

const rowSchema = z.object({
  id: z.string(),
  position: z.string(),
  email: z.string(),
  name: z.string().nullable(),
  joined: z.coerce.date(),
  status: z.enum(Object.keys(memberStatuses) as [MemberStatus]),
  product_id: z.string().nullable(),
  renews: z.coerce.date().nullable(),
  active: z.coerce.date().nullable(),
  email_confirmed: z.boolean(),
  suppressed: z.boolean(),
  disabled: z.coerce.date().nullable(),
  franchise_type: z.string().nullable(),
  answers: z.array(z.string()),
  locations: z.number(),
  tags: z.array(z.string()),
  noted: z.boolean(),
})
type Row = z.output<typeof rowSchema>

/** Finds the page in `from`, which names the rows `f`, and joins what only the shown rows need. */
async function readRows(
  db: Db | Tx,
  { order, limit }: Page,
  from: SQL,
  { status, productId }: Selected,
): Promise<Row[]> {
  const { column, direction } = orders[order]
  const byPosition = sql`${column} ${direction}, f.user_id ${direction}`
  const text = (instant: SQL) => sql`to_json(${instant}) #>> '{}'`
  const finite = (instant: SQL) => sql`case when isfinite(${instant}) then ${text(instant)} end`
  const rows = await queryRows(
    db,
    sql`select f.user_id::text as id, (${column} at time zone 'UTC')::text as position, coalesce(u.email, '') as email,
        ${memberNameSql} as name, ${text(sql`f.created_at`)} as joined, ${status} as status, ${productId} as product_id,
        ${finite(sql`f.renews_at`)} as renews, ${finite(sql`f.last_active_at`)} as active, f.email_confirmed,
        f.suppressed, ${finite(sql`f.disabled_until`)} as disabled, f.answers, f.franchise_type, f.locations, f.tags, f.noted
      from (select f.* from ${from} order by ${byPosition} limit ${limit}) f join auth.users u on u.id = f.user_id
      order by ${byPosition}`,
  )
  return z.array(rowSchema).parse(rows)
}

function asListedMember(config: Pick<Config, 'stripe'>, row: Row, now: Date): ListedMember {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    joinedAt: row.joined.toISOString(),
    status: row.status,
    plan: planOfProduct(config, row.product_id) ?? null,
    renewsAt: row.renews?.toISOString() ?? null,
    lastActiveAt: row.active?.toISOString() ?? null,
    account: [
      ...(row.email_confirmed ? [] : (['unconfirmed'] as const)),
      ...(row.suppressed ? (['suppressed'] as const) : []),
      ...(row.disabled && row.disabled > now ? (['disabled'] as const) : []),
    ],
    franchiseType: row.franchise_type,
    answers: answersOf(row.answers),
    locations: row.locations,
    tags: row.tags,
    noted: row.noted,
  }
}

/** Answers are stored as `area:…`, `goal:…` and `level:…`. */
function answersOf(stored: readonly string[]): string[] {
  const of = (kind: string) =>
    stored.flatMap((answer) => (answer.startsWith(`${kind}:`) ? [answer.slice(kind.length + 1)] : []))
  const levels = of('level').map((level) => aiLevelLabels[level as AiLevel]?.title ?? level)
  return [...of('area'), ...levels, ...of('goal')]
}
