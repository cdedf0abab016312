import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'

/** `set` of an upsert that overwrites every column with the value that could not be inserted. */
export const excludedColumns = (table: PgTable): Record<string, SQL> =>
  Object.fromEntries(
    Object.entries(getTableColumns(table)).map(([key, column]) => [key, sql`excluded.${sql.identifier(column.name)}`]),
  )
