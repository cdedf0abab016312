import { randomBytes } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { sql } from 'drizzle-orm'
import { inject } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { openPglite } from '#server/db/open-pglite.ts'
import { openPostgres } from '#server/db/open-postgres.ts'
import { queryRows } from '#server/db/query-rows.ts'
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

type IdlePglite = { database: Database; schema: unknown }

/** Closed by the files before in this process, which share its modules. Opening another one takes half a second. */
const idle: IdlePglite[] = []

/** Also runs the migrations, which find nothing to do. */
async function openEmptyPglite(): Promise<Database> {
  const reused = idle.pop()
  const database =
    reused?.database ?? (await openPglite(undefined, { loadDataDir: await openAsBlob(inject('emptyDatabase')) }))
  const schema = reused?.schema ?? (await readSchema(database))
  return { ...database, close: () => closeOrKeep({ database, schema }) }
}

/** Keeps the database for the next file unless its schema changed or a transaction never ended. */
async function closeOrKeep({ database, schema }: IdlePglite) {
  const { db } = database
  const reset = async () => {
    await db.execute(sql`reset all`)
    await db.execute(emptyTables)
    await db.execute(sql`delete from auth.signing_keys`)
    await db.execute(sql`vacuum`)
    return (await readSchema(database)) === schema
  }
  const tooLong = new Promise<false>((resolve) => setTimeout(resolve, 5_000, false).unref())
  if (await Promise.race([reset().catch(() => false), tooLong])) idle.push({ database, schema })
  else await database.close()
}

/** Changes whenever a table, function, trigger or constraint does. */
async function readSchema({ db }: Database): Promise<unknown> {
  const [row] = await queryRows<{ schema: string }>(
    db,
    sql`
    select md5(string_agg(oid || ':' || version, ',' order by kind, oid)) as schema from (
      select 1 as kind, oid, relnatts::text || relfilenode as version from pg_class where relnamespace <> 'pg_toast'::regnamespace
      union all select 2, oid, xmin::text from pg_proc
      union all select 3, oid, xmin::text from pg_trigger
      union all select 4, oid, xmin::text from pg_constraint
    ) objects`,
  )
  return row?.schema
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
