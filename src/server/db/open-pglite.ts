import { mkdirSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { PGlite, type PGliteOptions, type Results, type Transaction, types } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { drizzle } from 'drizzle-orm/pglite'
import { fromPglite, type PGliteLike } from 'pg-boss'
import { withPgliteSnapshot } from './copy-pglite.ts'
import type { Database, Db } from './database.ts'
import { createMigrationsTable, pendingMigrations, recordMigration } from './migrations-folder.ts'

/** The types that Drizzle parses itself: timestamp, timestamptz, interval, date, their arrays, and numeric arrays. */
const parsedByDrizzle = [types.TIMESTAMP, types.TIMESTAMPTZ, types.INTERVAL, types.DATE, 1115, 1185, 1187, 1182, 1231]

const dateTypes: number[] = [types.TIMESTAMP, types.TIMESTAMPTZ, types.DATE]

/** The part of a connection that the job queue uses. Without `listen`, the queue would only poll. */
type PgliteForQueue = Required<Pick<PGliteLike, 'query' | 'exec' | 'listen'>>

/**
 * Returns a client for Drizzle, and one for others, who expect dates. Drizzle passes its parsers with every query, and
 * PGlite then copies its own 300 parsers each time, which takes longer than a simple query.
 */
export function setParsersOnce(client: PGlite): { forDrizzle: PGlite; withDates: PgliteForQueue } {
  for (const type of parsedByDrizzle) client.parsers[type] = (text) => text
  const forDrizzle = {
    query: queryWithoutParsers(client),
    transaction: <Result>(run: (tx: Transaction) => Promise<Result>) =>
      client.transaction((tx) => run({ ...tx, query: queryWithoutParsers(tx) })),
  }
  const withDates: PgliteForQueue = {
    query: async <Row>(text: string, values?: unknown[]) => parseDates(await client.query<Row>(text, values)),
    exec: async (text) => (await client.exec(text)).map(parseDates),
    listen: (channel, onNotification) => client.listen(channel, onNotification),
  }
  return { forDrizzle: forDrizzle as PGlite, withDates }
}

const queryWithoutParsers =
  (client: PGlite | Transaction): Transaction['query'] =>
  (text, values, options) =>
    client.query(text, values, options?.rowMode && { rowMode: options.rowMode })

function parseDates<Row>(result: Results<Row>): Results<Row> {
  const names = result.fields.filter(({ dataTypeID }) => dateTypes.includes(dataTypeID)).map(({ name }) => name)
  if (names.length === 0) return result
  for (const row of result.rows as Record<string, string | null>[]) {
    for (const name of names) row[name] = types.parseType(row[name] ?? null, types.TIMESTAMPTZ)
  }
  return result
}

/** PGlite's page cache counts as memory of the process however small the database is. The default is 160 MB. */
const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB']

/**
 * Leaves PGlite to V8's fast compiler. The optimizing compiler takes 600 MB for one large function of PostgreSQL, and over a
 * second of CPU time at each start (decision 94). Applies to all WebAssembly that the process compiles afterward.
 */
function skipOptimizingCompiler() {
  setFlagsFromString('--no-wasm-tier-up')
  setFlagsFromString('--no-wasm-dynamic-tiering')
}

/**
 * Opens and migrates the embedded database, in memory without a directory. The caller must hold the directory's lock:
 * PGlite doesn't detect a second process and would lose rows.
 */
export async function openPglite(directory?: string, options: PGliteOptions = {}): Promise<Database> {
  if (directory) mkdirSync(directory, { recursive: true })
  skipOptimizingCompiler()
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
  await migratePglite(client)
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

/** Applies what is pending, in one transaction. */
export async function migratePglite(client: PGlite): Promise<void> {
  const pending = pendingMigrations(await lastMigration(client))
  if (pending.length === 0) return
  await client.transaction(async (transaction) => {
    await transaction.exec(createMigrationsTable)
    for (const { sql, hash, folderMillis } of pending) {
      for (const statement of sql) await transaction.exec(statement)
      await transaction.query(recordMigration, [hash, folderMillis])
    }
  })
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
