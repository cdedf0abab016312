import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Config } from '#server/config/config.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { queryRows } from '#server/db/query-rows.ts'
import { planOfProduct } from '#server/features/billing/plan-ids.ts'
import { decodeCursor, encodeCursor } from '#server/http/cursor.ts'
import type { ListedMember, MemberOrder } from '#shared/contracts/members.ts'
import { type MemberFilter, type MemberStatus, memberStatuses } from '#shared/domain/member-filter.ts'
import { type AiLevel, aiLevelLabels } from '#shared/domain/preferences.ts'
import { boundsSql, type MemberFilterSql, memberFilterSql, readFilterContext, statusSql } from './filter-sql.ts'
import { memberNameSql } from './member-name.ts'

type Deps = { config: Pick<Config, 'stripe'>; db: Db }

const defaultPageSize = 50

/** `always`: reads on to `max` even if the first rows promise little, such as new members who are all on trial. */
type RowLimits = { first: number; max: number; always?: true }
/** Rows that are read in the order of the list before other indexes are used. A thousand take half a millisecond. */
const walkLimits: RowLimits = { first: 3_000, max: 30_000 }
const streamLimits: RowLimits = { first: 500, max: 8_000, always: true }
/** Each row is looked up in another table. */
const tagLimits: RowLimits = { first: 500, max: 2_500 }
/** Matches aren't spread evenly. */
const spareShare = 1.3
const maxStreams = 2

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
 * time of joining, so it isn't left to choose one plan for all: the first attempts read a limited number of rows in the
 * order of the list, which is enough for a filter that many members match. The last one intersects indexes and sorts,
 * which is fast for a filter that few match.
 */
export async function listMembers({ config, db }: Deps, query: Query, now: Date) {
  const { filter, order, cursor, limit = defaultPageSize } = query
  const compiled = memberFilterSql(config, filter, now, await readFilterContext(db, filter))
  const position = cursor ? decodeCursor(cursor, positionSchema) : null
  const rows = await findPage(db, { ...compiled, order, position, limit: limit + 1 }, statusSql(config, now))
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    items: shown.map((row) => asListedMember(config, row, now)),
    nextCursor: rows.length > limit && last ? encodeCursor([last.position, last.id]) : null,
  }
}

/** The last row's value of the order's column, as text in UTC with microseconds, and its id. */
const positionSchema = z.tuple([
  z.string().regex(/^(-?infinity|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?)$/),
  z.uuid(),
])

type Page = MemberFilterSql & { order: MemberOrder; position: z.output<typeof positionSchema> | null; limit: number }
type Selected = ReturnType<typeof statusSql>

async function findPage(db: Db, page: Page, selected: Selected): Promise<Row[]> {
  const { column, period, direction } = orders[page.order]
  const after = afterPosition(page)
  const within = period ? boundsSql(column, page[period]) : sql`true`
  const inOrder = sql`select f.* from member_facts f where ${after} and ${within}
    order by ${column} ${direction}, f.user_id ${direction}`
  const readFrom = (rows: SQL) => (maxRows: number) =>
    readRows(db, page, sql`(${rows} limit ${maxRows}) f where ${page.where}`, selected)
  const walked = await readBounded(readFrom(inOrder), page.limit, walkLimits)
  if (walked) return walked
  if (page.order === 'newest') {
    for (const stream of page.streams.slice(0, maxStreams)) {
      const read = (maxRows: number) =>
        readRows(db, page, sql`(${streamSql(stream, page, maxRows)}) f where ${page.where}`, selected)
      const found = await readBounded(read, page.limit, 'tag' in stream ? tagLimits : streamLimits)
      if (found) return found
    }
  }
  // Without an order inside, so that only conditions decide which indexes are used.
  const matching = sql`select f.* from member_facts f where ${page.indexed} and ${page.where} and ${after} offset 0`
  return db.transaction(async (tx) => {
    await tx.execute(sql`set local enable_seqscan = off`)
    await tx.execute(sql`set local max_parallel_workers_per_gather = 0`)
    return readRows(tx, page, sql`(${matching}) f`, selected)
  })
}

/** A full page from the first rows, or from as many as its matches suggest; null if that would be too many. */
async function readBounded(
  read: (maxRows: number) => Promise<Row[]>,
  limit: number,
  { first, max, always }: RowLimits,
): Promise<Row[] | null> {
  const found = await read(first)
  if (found.length === limit) return found
  const needed = Math.ceil((first * limit * spareShare) / Math.max(found.length, 1))
  if (needed > max && !always) return null
  const again = await read(Math.min(needed, max))
  return again.length === limit ? again : null
}

function afterPosition({ order, position }: Page): SQL {
  if (!position) return sql`true`
  const { column, comparison } = orders[order]
  return sql`(${column}, f.user_id) ${comparison} (${instantOf(position[0])}, ${position[1]}::uuid)`
}

const instantOf = (text: string) => sql`(${text}::timestamp at time zone 'UTC')`
const microsOf = (instant: SQL) => sql`(extract(epoch from ${instant}) * 1000000)::bigint`

/** The newest rows of a stream after the page's position and within the days of joining. */
function streamSql(stream: MemberFilterSql['streams'][number], { position, joined }: Page, maxRows: number): SQL {
  const [table, condition] =
    'tag' in stream ? [sql`member_tags f`, sql`f.tag = ${stream.tag}`] : [sql`member_facts f`, stream]
  const bounds = [
    ...(position
      ? [sql`(f.joined_micros, f.user_id) < (${microsOf(instantOf(position[0]))}, ${position[1]}::uuid)`]
      : []),
    ...(joined.from ? [sql`f.joined_micros >= ${joined.from.getTime() * 1000}::bigint`] : []),
    ...(joined.to ? [sql`f.joined_micros < ${joined.to.getTime() * 1000}::bigint`] : []),
  ]
  // As in the index of the tags.
  const nulls = 'tag' in stream ? sql` nulls last` : sql``
  const rows = sql`select f.* from ${table} where ${sql.join([condition, ...bounds], sql` and `)}
    order by f.joined_micros desc${nulls}, f.user_id desc${nulls} limit ${maxRows}`
  return 'tag' in stream
    ? sql`select m.* from (${rows}) tagged join member_facts m on m.user_id = tagged.user_id`
    : rows
}

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
