import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { withPostgresSnapshot } from './copy-postgres.ts'
import type { Database, Db } from './database.ts'
import { migratePostgres } from './migrate-postgres.ts'
import { openSharedConnection } from './shared-connection.ts'
import { isConnectionTimeout, isDatabaseDown } from './sql-state.ts'

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
