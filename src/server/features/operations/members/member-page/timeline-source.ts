import { type SQL, sql } from 'drizzle-orm'
import { type Db, fromMicroseconds, queryRows } from '#server/db/database.ts'
import type { TimelineEntry, TimelineKind } from '#shared/contracts/operations/member-page.ts'
import type { Publication } from '#shared/publication-defaults.ts'

/** A member's account at the time of the request. */
export type TimelineMember = {
  userId: string
  email: string
  createdAt: Date
  customerId: string | null
}

export type TimelineContext = {
  member: TimelineMember
  publication: Publication
  /** True if the reader may see money. */
  seesMoney: boolean
  now: Date
}

/** Position in the merged list: the instant in microseconds, then the source, then the row's id. */
export type Position = { micros: string; source: number; id: string }

/** A row with its position. `id` as text. */
export type SourceRow = { micros: string; id: string }

/** An entry without what its position says. */
export type EntryText = Pick<TimelineEntry, 'kind' | 'title'> &
  Partial<Pick<TimelineEntry, 'details' | 'by' | 'isProblem' | 'mailingId'>>

/** One table of events, read newest first through an index. */
export type TimelineSource<Row extends SourceRow = SourceRow> = {
  /** Filters that include the source. */
  kinds: readonly TimelineKind[]
  /** The pattern of the row's id, so that a made-up cursor never reaches a cast. */
  id: RegExp
  /** Null if the member has no such events. */
  query(
    context: TimelineContext,
    before: Before,
    kind: TimelineKind | null,
  ): { select: SQL; where: SQL; order: SQL } | null
  /** Null leaves the row out. */
  toEntry(row: Row, context: TimelineContext): EntryText | null
}

/** The condition "older than the page's last row" for a row with this instant and id. */
export type Before = (at: SQL, id: SQL, cast: (id: string) => SQL) => SQL

export function beforeIn(source: number, position: Position | null): Before {
  return (at, id, cast) => {
    if (!position) return sql`true`
    const instant = fromMicroseconds(position.micros)
    if (source < position.source) return sql`${at} < ${instant}`
    if (source > position.source) return sql`${at} <= ${instant}`
    return sql`(${at}, ${id}) < (${instant}, ${cast(position.id)})`
  }
}

export const micros = (at: SQL) => sql`(extract(epoch from ${at}) * 1000000)::bigint::text`

export const asUuid = (id: string) => sql`${id}::uuid`
export const asBigint = (id: string) => sql`${id}::bigint`
export const asText = (id: string) => sql`${id}::text`

export const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
export const numberPattern = /^\d{1,18}$/
export const textPattern = /^[\x20-\x7e]{1,200}$/

type Page<Row extends SourceRow> = { row: Row; source: number; entry: TimelineEntry | null }

export async function readSource<Row extends SourceRow>(
  db: Db,
  source: TimelineSource<Row>,
  options: {
    index: number
    context: TimelineContext
    position: Position | null
    kind: TimelineKind | null
    limit: number
  },
): Promise<Page<Row>[]> {
  const { index, context, position, kind, limit } = options
  const query = source.query(context, beforeIn(index, position), kind)
  if (!query) return []
  const rows = await queryRows<Row>(
    db,
    sql`${query.select} where ${query.where} order by ${query.order} limit ${limit}`,
  )
  return rows.map((row) => {
    const text = source.toEntry(row, context)
    const at = new Date(Number(BigInt(row.micros) / 1000n)).toISOString()
    const rest = { details: [], by: null, isProblem: false, mailingId: null }
    return { row, source: index, entry: text && { ...rest, ...text, id: `${index}-${row.id}`, at } }
  })
}
