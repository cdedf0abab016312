import { randomBytes } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { drizzle as drizzlePostgres } from 'drizzle-orm/node-postgres'
import { migrate as migratePostgres } from 'drizzle-orm/node-postgres/migrator'
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite'
import { migrate as migratePglite } from 'drizzle-orm/pglite/migrator'
import pg from 'pg'
import type { Database } from '#server/db/database.ts'
import { earlierMigrationsFolder } from '#server/db/migrations-folder.ts'
import { openPglite } from '#server/db/open-pglite.ts'
import { openPostgres } from '#server/db/open-postgres.ts'
import { onServer } from '#tests/support/on-server.ts'

const lastMigration = 24
const rows = readFileSync(new URL('./rows-of-0.1.0.sql', import.meta.url), 'utf8')

type Counts = Record<string, number>

/** A database of version 0.1.0 with rows in every table, as a data directory or on PostgreSQL. */
export type OldDatabase = {
  /** Rows by table, before the upgrade. */
  counts: Counts
  /** Opens it with today's code, which migrates it. */
  open(): Promise<Database>
  remove(): Promise<void>
}

export async function openOldDatabase(): Promise<OldDatabase> {
  const directory = mkdtempSync(join(tmpdir(), 'front-counter-upgrade-'))
  const migrations = copyOldMigrations(directory)
  const { counts, open, drop } = process.env.DATABASE_URL
    ? await createOnPostgres(process.env.DATABASE_URL, migrations)
    : await createDataDirectory(join(directory, 'data'), migrations)
  return {
    counts,
    open,
    async remove() {
      await drop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** The migrations of version 0.1.0: the first ones, which are never edited. */
function copyOldMigrations(directory: string): string {
  const folder = join(directory, 'migrations')
  cpSync(earlierMigrationsFolder, folder, { recursive: true })
  const file = join(folder, 'meta/_journal.json')
  const journal = JSON.parse(readFileSync(file, 'utf8')) as { entries: { idx: number }[] }
  const entries = journal.entries.filter(({ idx }) => idx <= lastMigration)
  writeFileSync(file, JSON.stringify({ ...journal, entries }))
  return folder
}

// Rows are inserted in table name order, so foreign keys and triggers are turned off.
const insertRows = `set session_replication_role = replica; ${rows}; set session_replication_role = default;`

async function createDataDirectory(directory: string, migrations: string) {
  mkdirSync(directory, { recursive: true })
  const client = await PGlite.create({ dataDir: directory, extensions: { pg_trgm } })
  await migratePglite(drizzlePglite(client), { migrationsFolder: migrations })
  await client.exec(insertRows)
  const counts = await countRows(async (query) => (await client.query<Row>(query)).rows)
  await client.close()
  return { counts, open: () => openPglite(directory), drop: async () => {} }
}

async function createOnPostgres(server: string, migrations: string) {
  const name = `fc_upgrade_${randomBytes(6).toString('hex')}`
  await onServer(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  await migratePostgres(drizzlePostgres(client), { migrationsFolder: migrations })
  await client.query(insertRows)
  const counts = await countRows(async (query) => (await client.query<Row>(query)).rows)
  await client.end()
  return {
    counts,
    open: () => openPostgres(url.href),
    drop: () => onServer(server, `drop database if exists ${name} with (force)`),
  }
}

type Row = Record<string, unknown>

/** Rows of every table in `public` and `auth`, by table name. */
export async function countRows(query: (text: string) => Promise<Row[]>): Promise<Counts> {
  const tables = await query(
    "select schemaname || '.' || tablename as name from pg_tables where schemaname in ('public', 'auth') order by 1",
  )
  const counts: Counts = {}
  for (const { name } of tables) {
    const [row] = await query(`select count(*)::int as rows from ${name}`)
    counts[String(name)] = Number(row?.rows)
  }
  return counts
}
