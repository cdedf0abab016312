import { getTableColumns, type SQL } from 'drizzle-orm'
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core'
import type { Principal } from '#server/http/principal.ts'

/** A table as `/rest/v1` shows it: which columns, and which rows to whom. The protocol layer applies it to every query. */
export type ResourceDeclaration = {
  /** Name in the path and of the table. */
  name: string
  table: PgTable
  /** Readable columns by their database names. */
  readable: readonly string[]
  /** Rows that this user may see; a row that is not visible is absent, not refused. */
  rows(who: Principal): SQL
}

export type Resource = Pick<ResourceDeclaration, 'name' | 'rows'> & {
  /** Quoted and with its schema, as it goes into a statement. */
  source: string
  /** SQL type of each readable column, by database name, in the declared order. */
  columns: ReadonlyMap<string, string>
}

/** @throws when a readable column is not one of the table's: a mistake of ours, found at import */
export function defineResource({ name, table, readable, rows }: ResourceDeclaration): Resource {
  const types = new Map(Object.values(getTableColumns(table)).map((column) => [column.name, column.getSQLType()]))
  const columns = readable.map((column): [string, string] => {
    const type = types.get(column)
    if (!type) throw new Error(`${name} has no column ${column}`)
    return [column, type]
  })
  const { schema = 'public', name: tableName } = getTableConfig(table)
  return { name, rows, source: `${quoteIdentifier(schema)}.${quoteIdentifier(tableName)}`, columns: new Map(columns) }
}

export const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`
