import { asc, desc, eq, getTableColumns, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { firstOrNull, type Tx } from './database.ts'
import type { ColumnOf, PersonRows } from './table-entry.ts'

/**
 * Rows of a table for a person's download: those whose column `of` has the person's id.
 * @example personRows(tx, savedItems, { columns: ['kind', 'itemId as id'], order: ['at desc'] }, userId)
 */
export async function personRows<Table extends PgTable>(
  tx: Tx,
  table: Table,
  { columns, of, order = [] }: Omit<PersonRows<ColumnOf<Table>>, 'as'>,
  person: string | SQL,
): Promise<Record<string, unknown>[]> {
  const all: Record<string, PgColumn | undefined> = getTableColumns(table)
  const column = (name: string) => all[name] as PgColumn
  const selected = columns.map((text) => {
    const [name = '', as = name] = text.split(' as ')
    return [as, column(name)]
  })
  return tx
    .select(Object.fromEntries(selected) as Record<string, PgColumn>)
    .from(table as PgTable)
    .where(eq(column(of ?? 'userId'), person))
    .orderBy(...order.map((text) => (text.endsWith(' desc') ? desc(column(text.slice(0, -5))) : asc(column(text)))))
}

/** The same for a table with one row per person. Null if there is none. */
export const personRow = <Table extends PgTable>(
  tx: Tx,
  table: Table,
  columns: PersonRows<ColumnOf<Table>>['columns'],
  person: string,
) => firstOrNull(personRows(tx, table, { columns }, person))
