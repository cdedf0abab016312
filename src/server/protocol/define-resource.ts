import { getTableColumns } from 'drizzle-orm'
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core'

/** A table exposed under `/rest/v1`: its readable columns, and whose rows a caller sees. */
export type ResourceDeclaration = {
  /** Name in the path. */
  name: string
  table: PgTable
  /** Readable columns by their database names. */
  readable: readonly string[]
  /** Column with the owner's user id. Rows of other users are absent, not refused. */
  owner: string
}

export type Resource = Pick<ResourceDeclaration, 'name' | 'owner'> & {
  /** Quoted table name with its schema. */
  source: string
  /** SQL type of each readable column, by database name, in the declared order. */
  columns: ReadonlyMap<string, string>
}

/** @throws Error if the table lacks the owner column or a readable column */
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
