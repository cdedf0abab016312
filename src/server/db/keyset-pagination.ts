import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { z } from 'zod'

/*
 * Keyset pagination, newest first. Comparison and order match the indexes, nulls included; otherwise the planner would
 * sort every row.
 */

/** Microseconds as text: the driver's dates have only milliseconds, which would skip rows between pages. */
export const toMicroseconds = (createdAt: AnyPgColumn) =>
  sql<string>`(extract(epoch from ${createdAt}) * 1000000)::bigint::text`

/** A page's last row in a cursor: its creation time in microseconds since 1970, and its id. */
export const createdAtPosition = z.tuple([z.string().regex(/^\d{1,17}$/), z.uuid()])

/** The inverse of `toMicroseconds`. */
export const fromMicroseconds = (micros: string) =>
  sql`'epoch'::timestamptz + ${micros}::bigint * interval '1 microsecond'`

/** Selects the rows after a page's last row. Cast `id` to the column's type, such as sql`${id}::uuid`. */
export const afterCursor = (columns: { createdAt: AnyPgColumn; id: AnyPgColumn }, createdAtMicros: string, id: SQL) =>
  sql`(${columns.createdAt}, ${columns.id}) < (${fromMicroseconds(createdAtMicros)}, ${id})`

export const newestFirst = ({ createdAt, id }: { createdAt: AnyPgColumn; id: AnyPgColumn }) => [
  sql`${createdAt} desc nulls last`,
  sql`${id} desc nulls last`,
]
