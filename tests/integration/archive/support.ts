import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type SQL, sql } from 'drizzle-orm'
import { getTableConfig, type PgColumn } from 'drizzle-orm/pg-core'
import { type Db, queryRows } from '#server/db/database.ts'
import { archivedTables } from '#server/features/operations/archive/table-rows.ts'
import { writeArchive } from '#server/features/operations/archive/write-archive.ts'
import { openZip } from '#server/features/operations/archive/zip-reader.ts'
import type { TestApp } from '#tests/support/create-test-app.ts'

export const inTemporaryDirectory = async () => {
  const directory = await mkdtemp(join(tmpdir(), 'archive-test-'))
  return { path: (name: string) => join(directory, name), close: () => rm(directory, { recursive: true, force: true }) }
}

export async function exportTo(server: TestApp, file: string, options?: { withPasswordHashes?: boolean }) {
  await writeArchive(server.deps, createWriteStream(file), options)
  return readFile(file)
}

/** Contents of a zip file by path. */
export async function unzip(file: string): Promise<Map<string, Buffer>> {
  const zip = await openZip(file, { maxEntries: 10_000, maxTotalBytes: 1e9 })
  try {
    const found = new Map<string, Buffer>()
    for (const path of zip.paths) found.set(path, await zip.read(path, 1e9))
    return found
  } finally {
    zip.close()
  }
}

const rowsOf = (archive: Map<string, Buffer>, file: string) =>
  String(archive.get(`data/${file}.ndjson`))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>)

export { rowsOf }

/** Values that satisfy checks and unique keys, where the type alone doesn't. */
const values: Record<string, SQL> = {
  'custom_field.asked': sql`'account'`,
  'custom_field.kind': sql`'choice'`,
  'custom_field.options': sql`'[{"key": "small", "label": "Small shop", "retired": false}]'`,
  'plan.currency': sql`'usd'`,
  'plan.interval': sql`'month'`,
  'plan.once': sql`'forever'`,
  'plan.seats': sql`1`,
  'team_seat.seat': sql`2`,
  'tries.kind': sql`'section'`,
  'users.email': sql`'someone@example.test'`,
}

/**
 * Adds a row to every archived table that has none, so that a table that comes later is part of the round trip as well.
 * Foreign keys lead to rows of the tables before it.
 */
export async function fillArchivedTables(db: Db): Promise<void> {
  for (const { table } of archivedTables) {
    if ((await db.$count(table)) > 0) continue
    const { name, columns, foreignKeys } = getTableConfig(table)
    const given = new Map<string, unknown>()
    for (const [index, key] of foreignKeys.entries()) {
      const { columns: own, foreignColumns, foreignTable } = key.reference()
      const picked = foreignColumns.map((column) => sql`${column}::text as ${sql.identifier(column.name)}`)
      // Different keys get different rows: nobody is in their own team.
      const rows = await queryRows<Record<string, string>>(
        db,
        sql`select ${sql.join(picked, sql`, `)} from ${foreignTable} order by 1 limit 2`,
      )
      const row = rows[index] ?? rows[0]
      for (const [position, column] of own.entries()) {
        if (row) given.set(column.name, row[foreignColumns[position]?.name ?? ''])
      }
    }
    const written = columns.filter((column) => !column.generated && column.getSQLType() !== 'bigserial')
    const cells = written.map((column) => {
      if (given.has(column.name)) return sql`${given.get(column.name)}::${sql.raw(column.getSQLType())}`
      return values[`${name}.${column.name}`] ?? sampleOf(column)
    })
    const names = written.map((column) => sql.identifier(column.name))
    await db.execute(sql`insert into ${table} (${sql.join(names, sql`, `)}) values (${sql.join(cells, sql`, `)})`)
  }
}

function sampleOf(column: PgColumn): SQL {
  const type = column.getSQLType()
  if (type.endsWith('[]')) return sql`array['a, "b"', '']::text[]`
  if (type.startsWith('timestamp')) return sql`'2026-03-04 05:06:07.123456+00'`
  if (type === 'date') return sql`'2026-03-04'`
  if (type === 'uuid') return sql`gen_random_uuid()`
  if (type === 'jsonb') return sql`'{"text": "line\\nbreak", "list": [1, 2.50], "none": null}'`
  if (type === 'boolean') return sql`true`
  if (/^(bigint|numeric|integer|smallint|real)/.test(type)) return type === 'bigint' ? sql`9007199254740000` : sql`3`
  return sql`${`A “${column.name}”,\n\\with $1 ünïcode 🏪`}`
}
