import { setTimeout as delay } from 'node:timers/promises'
import type { MigrationMeta } from 'drizzle-orm/migrator'
import pg from 'pg'
import { migrationLock } from './migration-lock.ts'
import { createMigrationsTable, pendingMigrations, recordMigration } from './migrations-folder.ts'
import { isLockTaken } from './sql-state.ts'

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
