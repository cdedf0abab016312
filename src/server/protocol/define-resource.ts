import { getTableColumns } from 'drizzle-orm'
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core'

/** A table as `/rest/v1` shows it: which columns, and which rows to whom. The protocol layer applies it to every query. */
export type ResourceDeclaration = {
  /** Name in the path and of the table. */
  name: string
  table: PgTable
  /** Readable columns by their database names. */
  readable: readonly string[]
  /** Column that names the user a row belongs to. Nobody sees another's row: it is absent, not refused. */
  owner: string
}

export type Resource = Pick<ResourceDeclaration, 'name' | 'owner'> & {
  /** Quoted and with its schema, as it goes into a statement. */
  source: string
  /** SQL type of each readable column, by database name, in the declared order. */
  columns: ReadonlyMap<string, string>
}

/** @throws when the owner or a readable column is not one of the table's: a mistake of ours, found at import */
export function defineResource({ name, table, readable, owner }: ResourceDeclaration): Resource {
  const types = new Map(Object.values(getTableColumns(table)).map((column) => [column.name, column.getSQLType()]))
  if (!types.has(owner)) throw new Error(`${name} has no column ${owner}`)
  const columns = readable.map((column): [string, string] => {
    const type = types.get(column)
    if (!type) throw new Error(`${name} has no column ${column}`)
    return [column, type]
  })
  const { schema = 'public', name: tableName } = getTableConfig(table)
  return { name, owner, source: `${quoteIdentifier(schema)}.${quoteIdentifier(tableName)}`, columns: new Map(columns) }
}

export const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`
