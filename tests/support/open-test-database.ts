import { randomBytes } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { sql } from 'drizzle-orm'
import { inject } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { openPglite } from '#server/db/open-pglite.ts'
import { openPostgres } from '#server/db/open-postgres.ts'
import { onServer } from './on-server.ts'

export type TestDatabase = Database & {
  /** For another process, or undefined on PGlite. */
  url: string | undefined
  /** Empties every table of ours but the signing keys, in milliseconds. */
  truncate(): Promise<void>
}

/**
 * Waits for whoever still writes, as `truncate` does, then deletes, with foreign keys and triggers asleep. `truncate`
 * itself makes a new file for each table and index, some 170, and has every plan made anew: the dearest thing that a
 * small test did.
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

/** A fresh database for one test file: PGlite in memory, or one of its own on the PostgreSQL that DATABASE_URL names. */
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

/** Migrations are looked at here as well, and find nothing to do. */
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
