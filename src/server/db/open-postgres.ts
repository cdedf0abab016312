import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import type { Database, Db } from './database.ts'
import { migrationsFolder } from './migrations-folder.ts'
import { openSharedConnection } from './shared-connection.ts'

/** Any number that no other use of advisory locks in this database takes. */
const migrationLock = 7_340_311

/**
 * Opens a pool on PostgreSQL and migrates under an advisory lock, since the migrator takes none and two nodes may start
 * at once. `onIdleError` hears of connections that the server dropped. The pool listens to those that rest; one that is
 * dropped between two statements of a transaction speaks for itself, and unheard it would end the process.
 */
export async function openPostgres(
  url: string,
  options: { poolSize?: number; onIdleError?: (error: Error) => void } = {},
): Promise<Database> {
  const pool = new pg.Pool({ connectionString: url, max: options.poolSize ?? 10, connectionTimeoutMillis: 10_000 })
  const onError = options.onIdleError ?? (() => {})
  pool.on('error', onError)
  pool.on('connect', (opened) => void opened.on('error', onError))
  const client = await pool.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    try {
      await migrate(drizzle(client), { migrationsFolder })
    } finally {
      await client.query('select pg_advisory_unlock($1)', [migrationLock])
    }
  } finally {
    client.release()
  }
  const shared = openSharedConnection(url, onError)
  return {
    kind: 'postgres',
    db: onPool(pool),
    prepared: async <Row>(name: string, text: string, values: readonly unknown[]) =>
      (await pool.query({ name, text, values: [...values] })).rows as Row[],
    read: shared.read,
    // Its own few connections: one of them listens for as long as the process lives.
    queue: { connectionString: url, max: 3 },
    close: async () => void (await Promise.all([shared.close(), pool.end()])),
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
    let began = false
    try {
      return await (drizzle(client) as unknown as Db).transaction((tx) => {
        began = true
        return work(tx)
      }, options)
    } finally {
      client.release(!began)
    }
  }
  return Object.assign(db, { transaction })
}
