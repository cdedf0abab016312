import { mkdirSync } from 'node:fs'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { fromPglite } from 'pg-boss'
import { withPgliteSnapshot } from './copy-pglite.ts'
import type { Database, Db } from './database.ts'
import { migrationsFolder, newestMigration } from './migrations-folder.ts'
import { setParsersOnce } from './pglite-parsers.ts'

/** PGlite fills its page cache with zeros when it opens, so all of it counts as memory of the process. The default is 160 MB. */
const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB']

/**
 * Opens and migrates the embedded database, in memory without a directory. The caller must hold the directory's lock:
 * PGlite doesn't detect a second process and would lose rows.
 */
export async function openPglite(directory?: string, options: PGliteOptions = {}): Promise<Database> {
  if (directory) mkdirSync(directory, { recursive: true })
  const client = await PGlite.create({
    startParams,
    ...options,
    ...(directory && { dataDir: directory }),
    extensions: { pg_trgm },
  })
  const { forDrizzle, withDates } = setParsersOnce(client)
  const db = drizzle({ client: forDrizzle })
  const prepared = async <Row>(_name: string, text: string, values: readonly unknown[]) =>
    (await withDates.query<Row>(text, [...values])).rows
  // Drizzle would read and hash every migration.
  if ((await lastMigration(client)) < newestMigration()) await migrate(db, { migrationsFolder })
  return {
    kind: 'pglite',
    db: db as unknown as Db,
    background: db as unknown as Db,
    prepared,
    read: prepared,
    snapshot: (work) => withPgliteSnapshot(client, work),
    queue: { db: fromPglite(withDates), backend: 'pglite' },
    pools: () => [],
    close: () => client.close(),
  }
}

/** The `created_at` of the newest applied migration; 0 in a new database. */
async function lastMigration(client: PGlite): Promise<number> {
  const { rows } = await client.query<{ exists: boolean }>(
    `select to_regclass('drizzle.__drizzle_migrations') is not null as exists`,
  )
  if (!rows[0]?.exists) return 0
  const { rows: newest } = await client.query<{ last: string | null }>(
    'select max(created_at) as last from drizzle.__drizzle_migrations',
  )
  return Number(newest[0]?.last ?? 0)
}
