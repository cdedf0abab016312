import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Config } from '#server/config/config.ts'
import { type Db, queryRows, type Tx } from '#server/db/database.ts'
import { memberNameSql } from '#server/db/member-name.ts'
import { planOfProduct } from '#server/features/billing/subscriptions/stripe/plan-ids.ts'
import {
  boundsSql,
  indexOnly,
  type MemberFilterSql,
  memberFilterSql,
  readFilterContext,
  statusSql,
} from '#server/features/publishing/segments/filter-sql.ts'
import { decodeCursor, pageOf } from '#server/http/cursor.ts'
import { type ListedMember, type MemberOrder, maxCountedMembers } from '#shared/contracts/operations/members.ts'
import { type MemberFilter, type MemberStatus, memberStatuses } from '#shared/domain/member-filter.ts'
import { optionLabel } from '#shared/domain/preferences.ts'
import { readStoredAnswers } from './stored-answers.ts'

type Deps = { config: Pick<Config, 'settings' | 'stripe'>; db: Db }

const defaultPageSize = 50

/** Rows that are read in the order of the list before the index on tokens is used. */
const defaultMaxRows = 2_000

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
 * A keyset page of the members that match. The first attempt reads a limited number of rows in the order of the list, which
 * is enough for a filter that many members match. The second one finds the members in the index on tokens and sorts them.
 * PostgreSQL isn't left to choose: its statistics don't know how filters depend on each other and on the order.
 */
export async function listMembers({ config, db }: Deps, query: Query, now: Date, maxRows = defaultMaxRows) {
  const { filter, order, cursor, limit = defaultPageSize } = query
  const compiled = memberFilterSql(config, filter, now, await readFilterContext(db, filter, now))
  const position = cursor ? decodeCursor(cursor, positionSchema) : null
  const page = { ...compiled, order, position, limit: limit + 1, maxRows }
  const rows = await findPage(db, page, statusSql(config, now))
  const { page: shown, nextCursor } = pageOf(rows, limit, (last) => [last.position, last.id])
  return { items: shown.map((row) => asListedMember(config, row, now)), nextCursor }
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

type Page = MemberFilterSql & {
  order: MemberOrder
  position: z.output<typeof positionSchema> | null
  limit: number
  maxRows: number
}
type Selected = ReturnType<typeof statusSql>

async function findPage(db: Db, page: Page, selected: Selected): Promise<Row[]> {
  const { column, period } = orders[page.order]
  const within = sql`${afterPosition(page)} and ${period ? boundsSql(column, page[period]) : sql`true`}`
  const walked = await readRows(db, page, walk(page, within), selected)
  if (walked.length === page.limit) return walked
  return db.transaction(async (tx) => {
    await tx.execute(indexOnly)
    if (period === 'joined') return readRows(tx, page, byQuarter(page, within), selected)
    if (period === 'renews') return findByRenewal(tx, page, within, selected)
    return readRows(tx, page, fromIndex(page, withJoined(page, within)), selected)
  })
}

const directionSql = ({ order }: Page) => {
  const { column, direction } = orders[order]
  return sql`${column} ${direction}, f.user_id ${direction}`
}

/** The matches among the next rows in the order of the list. */
const walk = (page: Page, within: SQL) => sql`(select f.* from member_facts f where ${within}
  order by ${directionSql(page)} limit ${page.maxRows}) f where ${page.where}`

const withJoined = ({ joined }: Page, within: SQL) => sql`${within} and ${boundsSql(sql`f.created_at`, joined)}`

/** All matches, by the index on tokens. */
const fromIndex = (page: Page, within: SQL) => sql`(select f.* from member_facts f
  where ${page.indexed} and ${within} offset 0) f where ${page.rest}`

/**
 * The matches of one quarter of a year of joining after another, until the page is full: a filter that many members match
 * may match none of the first rows. "is true" keeps the index on the time of joining out, which would find the members of
 * years for one quarter.
 */
function byQuarter(page: Page, within: SQL): SQL {
  const { direction } = orders[page.order]
  const quarter = (end: SQL) => sql`(select date_trunc('quarter', f.created_at at time zone 'UTC') from member_facts f
    where ${within} order by f.created_at ${end} limit 1)`
  const matches = fromIndex(
    page,
    sql`f.tokens && array['joined:' || to_char(q.start, 'YYYY-"Q"Q')] and (${within}) is true`,
  )
  return sql`(select found.* from (
      select start from generate_series(${quarter(sql`asc`)}, ${quarter(sql`desc`)}, interval '3 months') start
      order by start ${direction}
    ) q cross join lateral (
      select f.* from ${matches} order by ${directionSql(page)} limit ${page.limit}
    ) found limit ${page.limit}) f`
}

/** Members without a renewal come last, in the order of their ids, so what they match is spread evenly. */
async function findByRenewal(tx: Tx, page: Page, within: SQL, selected: Selected): Promise<Row[]> {
  const read = (from: SQL) => readRows(tx, page, from, selected)
  if (page.renews.from || page.renews.to) return read(fromIndex(page, withJoined(page, within)))
  const undated = sql`${within} and f.renews_at = 'infinity'`
  const isAfterDated = page.position?.[0] === 'infinity'
  const dated = isAfterDated
    ? []
    : await read(fromIndex(page, sql`f.tokens && '{renews}' and ${withJoined(page, within)}`))
  if (dated.length === page.limit) return dated
  const walked = isAfterDated ? [] : await read(walk(page, undated))
  const isFull = dated.length + walked.length >= page.limit
  return [...dated, ...(isFull ? walked : await read(fromIndex(page, withJoined(page, undated))))].slice(0, page.limit)
}

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
async function readRows(db: Db | Tx, page: Page, from: SQL, { status, productId }: Selected): Promise<Row[]> {
  const { column } = orders[page.order]
  const byPosition = directionSql(page)
  const text = (instant: SQL) => sql`to_json(${instant}) #>> '{}'`
  const finite = (instant: SQL) => sql`case when isfinite(${instant}) then ${text(instant)} end`
  const rows = await queryRows(
    db,
    sql`select f.user_id::text as id, (${column} at time zone 'UTC')::text as position, coalesce(u.email, '') as email,
        ${memberNameSql} as name, ${text(sql`f.created_at`)} as joined, ${status} as status, ${productId} as product_id,
        ${finite(sql`f.renews_at`)} as renews, ${finite(sql`f.last_active_at`)} as active, f.email_confirmed,
        f.suppressed, ${finite(sql`f.disabled_until`)} as disabled, f.answers, f.franchise_type, f.locations, f.tags, f.noted
      from (select f.* from ${from} order by ${byPosition} limit ${page.limit}) f join auth.users u on u.id = f.user_id
      order by ${byPosition}`,
  )
  return z.array(rowSchema).parse(rows)
}

function asListedMember(config: Pick<Config, 'settings' | 'stripe'>, row: Row, now: Date): ListedMember {
  const answers = readStoredAnswers(config.settings.publication, row.answers)
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
    franchiseType: row.franchise_type && optionLabel(config.settings.publication, 'franchiseType', row.franchise_type),
    answers: [...answers.areas, ...answers.levels, ...answers.goals],
    locations: row.locations,
    tags: row.tags,
    noted: row.noted,
  }
}

/** Counts the members that match, up to a limit, so that a count costs no more than reading so many rows. */
export async function countMembers(deps: Deps, filter: MemberFilter, now: Date) {
  const { rest, indexed, joined } = memberFilterSql(
    deps.config,
    filter,
    now,
    await readFilterContext(deps.db, filter, now),
  )
  const [row] = await deps.db.transaction(async (tx) => {
    // The list estimates the same way: the statistics don't know how filters depend on each other.
    await tx.execute(indexOnly)
    return queryRows<{ count: number }>(
      tx,
      sql`select count(*)::int as count from (
        select 1 from (
          select f.* from member_facts f where ${indexed} and ${boundsSql(sql`f.created_at`, joined)} offset 0) f
        where ${rest} limit ${maxCountedMembers + 1}) counted`,
    )
  })
  const count = row?.count ?? 0
  return { count: Math.min(count, maxCountedMembers), isCapped: count > maxCountedMembers }
}
