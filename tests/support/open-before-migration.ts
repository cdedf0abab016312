import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { drizzle as drizzlePostgres } from 'drizzle-orm/node-postgres'
import { migrate as migratePostgres } from 'drizzle-orm/node-postgres/migrator'
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite'
import { migrate as migratePglite } from 'drizzle-orm/pglite/migrator'
import pg from 'pg'
import { withPgliteSnapshot } from '#server/db/copy-pglite.ts'
import { withPostgresSnapshot } from '#server/db/copy-postgres.ts'
import type { Database } from '#server/db/database.ts'
import { earlierMigrationsFolder } from '#server/db/migrations-folder.ts'
import { migratePglite as migratePgliteToday } from '#server/db/open-pglite.ts'
import { migratePostgres as migrateToday } from '#server/db/open-postgres.ts'
import { onServer } from './on-server.ts'

type Row = Record<string, unknown>

/** Opens a database with all migrations before `tag` applied. `migrateRest` applies the others. */
export async function openBeforeMigration(tag: string) {
  const { query, migrateFrom, migrateRest, snapshot, close } = process.env.DATABASE_URL
    ? await openPostgres(process.env.DATABASE_URL)
    : await openPglite()
  const earlier = copyMigrationsBefore(tag)
  await migrateFrom(earlier)
  rmSync(earlier, { recursive: true })
  return { query, snapshot, migrateRest, close }
}

function copyMigrationsBefore(tag: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'front-counter-migrations-'))
  cpSync(earlierMigrationsFolder, folder, { recursive: true })
  const path = join(folder, 'meta/_journal.json')
  const journal = JSON.parse(readFileSync(path, 'utf8')) as { entries: { tag: string }[] }
  const end = journal.entries.findIndex((entry) => entry.tag === tag)
  if (end === -1) throw new Error(`No migration named ${tag}`)
  writeFileSync(path, JSON.stringify({ ...journal, entries: journal.entries.slice(0, end) }))
  return folder
}

async function openPglite() {
  const client = await PGlite.create({ extensions: { pg_trgm } })
  return {
    query: async (text: string, values: unknown[] = []) => (await client.query<Row>(text, values)).rows,
    migrateFrom: (folder: string) => migratePglite(drizzlePglite(client), { migrationsFolder: folder }),
    migrateRest: () => migratePgliteToday(client),
    snapshot: ((work) => withPgliteSnapshot(client, work)) as Database['snapshot'],
    close: () => client.close(),
  }
}

async function openPostgres(server: string) {
  const name = `fc_test_${randomBytes(6).toString('hex')}`
  await onServer(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  return {
    query: async (text: string, values: unknown[] = []) => (await client.query<Row>(text, values)).rows,
    migrateFrom: (folder: string) => migratePostgres(drizzlePostgres(client), { migrationsFolder: folder }),
    migrateRest: () => migrateToday(url.href, { onError: () => {} }),
    snapshot: ((work) => withPostgresSnapshot(url.href, work)) as Database['snapshot'],
    close: async () => {
      await client.end()
      await onServer(server, `drop database if exists ${name} with (force)`)
    },
  }
}
