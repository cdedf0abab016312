import { randomBytes } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { sql } from 'drizzle-orm'
import { inject } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { openPglite } from '#server/db/open-pglite.ts'
import { openPostgres } from '#server/db/open-postgres.ts'
import { onServer } from './on-server.ts'

export type TestDatabase = Database & {
  /** Connection string for other processes; undefined on PGlite. */
  url: string | undefined
  /** Empties all tables except the signing keys, within milliseconds. */
  truncate(): Promise<void>
}

/**
 * Waits for running transactions, as `truncate` does, and then deletes with foreign keys and triggers turned off.
 * `truncate` itself is slower: it creates a new file for each of about 170 tables and indexes and discards all plans.
 */
const emptyTables = sql`
  do $$ declare names text[]; one text; begin
    select array_agg(format('%I.%I', schemaname, tablename)) into names
      from pg_tables where schemaname in ('public', 'auth') and tablename <> 'signing_keys';
    execute 'lock table ' || array_to_string(names, ', ');
    set local session_replication_role = replica;
    foreach one in array names loop
      execute 'delete from ' || one;
    end loop;
    for one in
      select format('%I.%I', schemaname, sequencename)
        from pg_sequences where schemaname in ('public', 'auth') and last_value is not null
    loop
      perform setval(one::regclass, 1, false);
    end loop;
  end $$`

/** Creates a database for one test file: PGlite in memory, or a new database on the server in DATABASE_URL. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const server = process.env.DATABASE_URL
  const { database, url, drop } = server
    ? await openOnPostgres(server)
    : { database: await openEmptyPglite(), url: undefined, drop: async () => {} }
  return {
    ...database,
    url,
    async truncate() {
      await database.db.execute(emptyTables)
    },
    async close() {
      await database.close()
      await drop()
    },
  }
}

/** Also runs the migrations, which find nothing to do. */
async function openEmptyPglite(): Promise<Database> {
  return openPglite(undefined, { loadDataDir: await openAsBlob(inject('emptyDatabase')) })
}

async function openOnPostgres(url: string) {
  const name = `fc_test_${randomBytes(6).toString('hex')}`
  await onServer(url, `create database ${name} template ${inject('emptyDatabase')}`)
  const own = new URL(url)
  own.pathname = `/${name}`
  return {
    database: await openPostgres(own.href),
    url: own.href,
    drop: () => onServer(url, `drop database if exists ${name} with (force)`),
  }
}
