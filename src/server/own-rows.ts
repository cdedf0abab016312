import { eq, getTableName, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { firstOrNull } from './db/first-or-null.ts'
import type { ExportPart } from './feature.ts'

/**
 * A part of a person's download: their rows of one table.
 * @param userId the column that names the person
 */
export const ownRows = (userId: PgColumn, columns: Record<string, PgColumn>, ...order: SQL[]): ExportPart => ({
  tables: [`public.${getTableName(userId.table)}`],
  read: (tx, person) =>
    tx
      .select(columns)
      .from(userId.table)
      .where(eq(userId, person))
      .orderBy(...order),
})

/** The same for a table with one row per person, null if there is none. */
export const ownRow = (userId: PgColumn, columns: Record<string, PgColumn>): ExportPart => ({
  tables: [`public.${getTableName(userId.table)}`],
  read: (tx, person) => firstOrNull(tx.select(columns).from(userId.table).where(eq(userId, person))),
})
