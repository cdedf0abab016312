import { setTimeout as delay } from 'node:timers/promises'
import type { MigrationMeta } from 'drizzle-orm/migrator'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { withPostgresSnapshot } from './copy-postgres.ts'
import { type Database, type Db, isConnectionTimeout, isDatabaseDown, isLockTaken } from './database.ts'
import { migrationLock } from './migration-lock.ts'
import { createMigrationsTable, pendingMigrations, recordMigration } from './migrations-folder.ts'
import { openSharedConnection } from './shared-connection.ts'

/**
 * While a statement waits for a table, all requests for that table wait behind it. Much shorter than PostgreSQL's
 * `deadlock_timeout` of a second, so that of a migration and a request that wait for each other, the migration gives up.
 */
const defaultLockTimeoutMs = 200
const maxAttempts = 200
const pauseMs = 300

/**
 * Migrates on its own connection, without a statement timeout, while other nodes wait for the advisory lock. Other servers
 * may be answering requests meanwhile, so each migration is a transaction of its own, unlike in Drizzle's migrator: it
 * keeps its locks only until it is done. One that can't get a table soon is undone, lets the requests pass, and is tried
 * again.
 */
export async function migratePostgres(
  url: string,
  {
    onError,
    pending = pendingMigrations,
    lockTimeoutMs = defaultLockTimeoutMs,
  }: {
    /** Receives errors of a dropped connection, which would otherwise end the process. */
    onError: (error: Error) => void
    pending?: (last: number) => MigrationMeta[]
    lockTimeoutMs?: number
  },
): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', onError)
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await client.query(`select set_config('lock_timeout', $1, false)`, [`${lockTimeoutMs}ms`])
    await client.query(createMigrationsTable)
    const { rows } = await client.query<{ last: string | null }>(
      'select max(created_at) as last from drizzle.__drizzle_migrations',
    )
    const last = Number(rows[0]?.last ?? 0)
    for (const migration of pending(last)) await applyPatiently(client, migration)
  } finally {
    // Ending the connection releases the lock.
    await client.end()
  }
}

async function applyPatiently(client: pg.Client, migration: MigrationMeta): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await apply(client, migration)
    } catch (error) {
      if (attempt === maxAttempts || !isLockTaken(error)) throw error
      await delay(pauseMs)
    }
  }
}

async function apply(client: pg.Client, { sql, hash, folderMillis }: MigrationMeta): Promise<void> {
  await client.query('begin')
  try {
    for (const statement of sql) await client.query(statement)
    await client.query(recordMigration, [hash, folderMillis])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** Longer than any request needs; longer waits mean a lock or a lost network. */
const defaultQueryTimeoutMs = 15_000
const backgroundTimeoutMs = 15 * 60_000
/** Added to the statement timeout, so that the client gives up only if the database doesn't respond at all. */
const lostNetworkMs = 5_000
const backgroundPoolSize = 5

/**
 * Compiling a query takes up to a second, and PostgreSQL chooses to do so for tables without statistics, such as new ones.
 */
const withoutJit = '-c jit=off'

/**
 * Migrates the database and opens a pool. `onIdleError` receives errors of dropped connections, which would otherwise end
 * the process.
 */
export async function openPostgres(
  url: string,
  options: { poolSize?: number; queryTimeoutMs?: number; onIdleError?: (error: Error) => void } = {},
): Promise<Database> {
  const { poolSize = 10, queryTimeoutMs = defaultQueryTimeoutMs, onIdleError: onError = () => {} } = options
  const openPool = (max: number, timeoutMs: number) => {
    const opened = new pg.Pool({
      connectionString: url,
      max,
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
      options: withoutJit,
      statement_timeout: timeoutMs,
      query_timeout: timeoutMs + lostNetworkMs,
    })
    opened.on('error', onError)
    opened.on('connect', (connection) => void connection.on('error', onError))
    return opened
  }
  await migratePostgres(url, { onError })
  const pool = openPool(poolSize, queryTimeoutMs)
  const background = openPool(backgroundPoolSize, backgroundTimeoutMs)
  const shared = openSharedConnection(url, onError)
  return {
    kind: 'postgres',
    db: onPool(pool),
    background: onPool(background),
    prepared: async <Row>(name: string, text: string, values: readonly unknown[]) =>
      (await pool.query({ name, text, values: [...values] })).rows as Row[],
    read: shared.read,
    snapshot: (work) => withPostgresSnapshot(url, work),
    // The job queue opens its own connections; one of them listens permanently.
    queue: { connectionString: url, max: 3 },
    pools: () => [stateOf('requests', pool), stateOf('background', background)],
    close: async () => void (await Promise.all([shared.close(), pool.end(), background.end()])),
  }
}

const stateOf = (name: string, { totalCount: open, idleCount: idle, waitingCount: waiting }: pg.Pool) => ({
  name,
  open,
  idle,
  waiting,
})

/**
 * Acquires and releases the connection around Drizzle's transaction, because Drizzle leaks it when `begin` fails. A
 * connection on which `begin` failed is discarded.
 */
function onPool(pool: pg.Pool): Db {
  const db = drizzle(pool) as unknown as Db
  const transaction: Db['transaction'] = async (work, options) => {
    const client = await pool.connect()
    let isUsable = false
    try {
      return await (drizzle(client) as unknown as Db).transaction((tx) => {
        isUsable = true
        return work(tx)
      }, options)
    } catch (error) {
      if (isConnectionTimeout(error) || isDatabaseDown(error)) isUsable = false
      throw error
    } finally {
      client.release(!isUsable)
    }
  }
  return Object.assign(db, { transaction })
}
