import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import type { Database } from '#server/db/database.ts'
import { openPglite } from '#server/db/open-pglite.ts'
import { openPostgres } from '#server/db/open-postgres.ts'

export type TestDatabase = Database & {
  /** Empties every table of ours but the signing keys, in milliseconds. */
  truncate(): Promise<void>
}

/** A fresh database for one test file: PGlite in memory, or one of its own on the PostgreSQL that DATABASE_URL names. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const url = process.env.DATABASE_URL
  const { database, drop } = url ? await openOnPostgres(url) : { database: await openPglite(), drop: async () => {} }
  return {
    ...database,
    async truncate() {
      await database.db.execute(sql`
        do $$ declare names text; begin
          select string_agg(format('%I.%I', schemaname, tablename), ', ') into names
            from pg_tables where schemaname in ('public', 'auth') and tablename <> 'signing_keys';
          execute 'truncate ' || names || ' restart identity cascade';
        end $$`)
    },
    async close() {
      await database.close()
      await drop()
    },
  }
}

async function openOnPostgres(url: string) {
  const name = `fc_test_${randomBytes(6).toString('hex')}`
  const onServer = async (statement: string) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  await onServer(`create database ${name}`)
  const own = new URL(url)
  own.pathname = `/${name}`
  return {
    database: await openPostgres(own.href),
    drop: () => onServer(`drop database if exists ${name} with (force)`),
  }
}
