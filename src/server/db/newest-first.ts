import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'

/*
 * Keyset pages, newest first. The comparison and the order are written as the indexes have them, nulls included, or the
 * planner would sort every row.
 */

/** In whole microseconds: the driver's dates end at milliseconds, and two rows of one would be lost between pages. */
export const microsOf = (createdAt: AnyPgColumn) =>
  sql<string>`(extract(epoch from ${createdAt}) * 1000000)::bigint::text`

/** After the last row of a page; `id` as the column has it, such as sql`${id}::uuid`. */
export const olderThan = (columns: { createdAt: AnyPgColumn; id: AnyPgColumn }, createdAtMicros: string, id: SQL) =>
  sql`(${columns.createdAt}, ${columns.id}) < ('epoch'::timestamptz + ${createdAtMicros}::bigint * interval '1 microsecond', ${id})`

export const newestFirst = ({ createdAt, id }: { createdAt: AnyPgColumn; id: AnyPgColumn }) => [
  sql`${createdAt} desc nulls last`,
  sql`${id} desc nulls last`,
]
