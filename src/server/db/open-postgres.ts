import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import type { Database, Db } from './database.ts'
import { migrationsFolder } from './migrations-folder.ts'
import { openSharedConnection } from './shared-connection.ts'
import { isUnanswered } from './sql-state.ts'

/** Long enough for any request on a busy database; longer waits are a lock or a lost network. */
const defaultQueryTimeoutMs = 15_000
const backgroundTimeoutMs = 15 * 60_000
/** The database cancels a statement first; only if it doesn't answer at all does the client give up. */
const lostNetworkMs = 5_000
const backgroundPoolSize = 5

/** Any number that no other use of advisory locks in this database takes. */
const migrationLock = 7_340_311

/**
 * Opens a pool on PostgreSQL and migrates under an advisory lock, since the migrator takes none and two nodes may start
 * at once. `onIdleError` hears of connections that the server dropped. The pool listens to those that rest; one that is
 * dropped between two statements of a transaction speaks for itself, and unheard it would end the process.
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
      statement_timeout: timeoutMs,
      query_timeout: timeoutMs + lostNetworkMs,
    })
    opened.on('error', onError)
    opened.on('connect', (connection) => void connection.on('error', onError))
    return opened
  }
  await migrateOnce(url, onError)
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
    // Its own few connections: one of them listens for as long as the process lives.
    queue: { connectionString: url, max: 3 },
    close: async () => void (await Promise.all([shared.close(), pool.end(), background.end()])),
  }
}

/** On a connection without a time limit, under a lock that only this process or another node holds. */
async function migrateOnce(url: string, onError: (error: Error) => void) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', onError)
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await migrate(drizzle(client), { migrationsFolder })
  } finally {
    // Ending the connection releases the lock.
    await client.end()
  }
}

/**
 * The library takes a connection for a transaction and keeps it for ever when `begin` fails on it: after a few restarts
 * of the database none would be left. Here the connection is taken, and given back, around all that the library does; one
 * that does not even begin is of no more use.
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
      if (isUnanswered(error)) isUsable = false
      throw error
    } finally {
      client.release(!isUsable)
    }
  }
  return Object.assign(db, { transaction })
}
