import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { getTableConfig, type PgColumn } from 'drizzle-orm/pg-core'
import { nextTurn } from '#server/db/batch-writes.ts'
import { queryRows, type Tx } from '#server/db/database.ts'
import { type RegisteredTable, tableRegistry } from '#server/db/table-registry.ts'

/** A table that is written to `data/<file>.ndjson`, one row per line. */
export type ArchivedTable = Pick<RegisteredTable, 'table' | 'without' | 'where' | 'filledByTriggers'> & {
  file: string
  /** For the README in the archive. */
  about: string
}

export const archivedTables: readonly ArchivedTable[] = tableRegistry.flatMap(({ archive, ...entry }) =>
  typeof archive === 'string' ? [] : [{ ...entry, file: archive[0], about: archive[1] }],
)

/** Rows per round trip. */
const batchSize = 1_000

/** Leaves out generated columns, which the database computes again. */
export function archivedColumns({ table, without = [] }: ArchivedTable): [name: string, column: PgColumn][] {
  const columns = Object.entries(getTableColumns(table)) as [string, PgColumn][]
  return columns.filter(([name, { generated }]) => !generated && !without.includes(name))
}

/** Columns of the primary key, by which the rows are sorted. */
function keyColumns({ table }: ArchivedTable): PgColumn[] {
  const { primaryKeys, columns, name } = getTableConfig(table)
  const names = primaryKeys[0]?.columns.map((column) => column.name)
  const key = columns.filter((column) => names?.includes(column.name) ?? column.primary)
  if (key.length === 0) throw new Error(`${name} has no primary key`)
  return key
}

/** One JSON object per row. PostgreSQL writes the values, so times keep their microseconds and numbers their digits. */
export function rowsAsJson(archived: ArchivedTable): SQL {
  const fields = archivedColumns(archived).map(([name, column]) => sql`${column} as ${sql.identifier(name)}`)
  // The "C" collation sorts the same in every database.
  const order = keyColumns(archived).map((column) =>
    /^(text|varchar)/.test(column.getSQLType()) ? sql`${column} collate "C"` : sql`${column}`,
  )
  return sql`select row_to_json(r)::text as line
    from (select ${sql.join(fields, sql`, `)} from ${archived.table} where ${archived.where ?? sql`true`} order by ${sql.join(order, sql`, `)}) r`
}

/** Reads the result of a query in batches, with a cursor, so that memory stays flat. */
export async function* readInBatches<Row>(tx: Tx, query: SQL): AsyncGenerator<Row[]> {
  await tx.execute(sql`declare archive_rows no scroll cursor for ${query}`)
  for (;;) {
    const rows = await queryRows<Row>(tx, sql.raw(`fetch forward ${batchSize} from archive_rows`))
    if (rows.length > 0) yield rows
    if (rows.length < batchSize) break
    await nextTurn()
  }
  await tx.execute(sql.raw('close archive_rows'))
}

const typeOf = (column: PgColumn) => column.getSQLType().replace('bigserial', 'bigint')

/** Inserts rows that `rowsAsJson` wrote. Columns that the archive leaves out get their defaults. */
export async function insertRows(tx: Tx, archived: ArchivedTable, lines: readonly string[]): Promise<void> {
  const columns = archivedColumns(archived)
  const targets = columns.map(([, column]) => sql.identifier(column.name))
  const values = columns.map(([name]) => sql`r.${sql.identifier(name)}`)
  const types = columns.map(([name, column]) => sql`${sql.identifier(name)} ${sql.raw(typeOf(column))}`)
  await tx.execute(sql`insert into ${archived.table} (${sql.join(targets, sql`, `)})
    select ${sql.join(values, sql`, `)}
    from json_to_recordset(${`[${lines.join(',')}]`}::json) as r(${sql.join(types, sql`, `)})`)
}

/** Continues the numbering after the inserted rows. */
export async function advanceSequences(tx: Tx, archived: ArchivedTable): Promise<void> {
  for (const [, column] of archivedColumns(archived)) {
    if (column.getSQLType() !== 'bigserial') continue
    const { name, schema = 'public' } = getTableConfig(archived.table)
    await tx.execute(sql`select setval(pg_get_serial_sequence(${`${schema}.${name}`}, ${column.name}),
      coalesce(max(${column}), 1), max(${column}) is not null) from ${archived.table}`)
  }
}
