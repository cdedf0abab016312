import type { SQL } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Principal } from '#server/http/principal.ts'

/** A table as `/rest/v1` shows it: which columns, and which rows to whom. The protocol layer applies it to every query. */
export type Resource = {
  /** Name in the path and of the table. */
  name: string
  table: PgTable
  /** Readable columns by their database names. */
  readable: readonly string[]
  /** Rows that this user may see; a row that is not visible is absent, not refused. */
  rows(who: Principal): SQL
}

export const defineResource = (resource: Resource): Resource => resource
