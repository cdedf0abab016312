import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { type Config, readConfig } from '#server/config/config.ts'
import type { CopySession } from '#server/db/copy-session.ts'
import { type Database, queryRows } from '#server/db/database.ts'
import { openDatabase } from '#server/db/open-database.ts'
import type { BackupDeps } from '#server/features/operations/backup/run-backup.ts'
import { createLogger } from '#server/http/logger.ts'
import { openStore } from '#server/media/s3-store.ts'
import { onServer } from '#tests/support/on-server.ts'

export const backupKey = 'a backup key that is long enough for tests'
export const secretKey = 'a secret for tests, long enough to be one'

/** A data directory and, on PostgreSQL, an empty database. */
export async function createInstance(kind: Database['kind'], more: Record<string, string> = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'front-counter-backup-'))
  const name = `fc_backup_${randomBytes(6).toString('hex')}`
  const server = process.env.DATABASE_URL
  const env: Record<string, string> = {
    NODE_ENV: 'test',
    DATA_DIR: join(directory, 'data'),
    BACKUP_DESTINATION: join(directory, 'backups'),
    BACKUP_KEY: backupKey,
    SECRET_KEY: secretKey,
    ...more,
  }
  if (kind === 'postgres') {
    if (!server) throw new Error('DATABASE_URL is not set')
    const url = new URL(server)
    url.pathname = `/${name}`
    await onServer(server, `create database ${name}`)
    env.DATABASE_URL = url.href
  }
  const config = readConfig(env)
  return {
    env,
    config,
    directory,
    /** As `--replace` wants it. */
    databaseName: kind === 'postgres' ? name : config.dataDirectory,
    open: () => openDatabase(config.database),
    async remove() {
      if (server && kind === 'postgres') await onServer(server, `drop database if exists ${name} with (force)`)
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

export const depsOf = (config: Config, database: Database): BackupDeps => ({
  config,
  database,
  store: openStore(config.media),
  clock: () => new Date(),
  logger: createLogger('silent'),
})

export async function addUsers(db: Database['db'], emails: readonly string[]) {
  for (const email of emails) {
    await db.execute(sql`insert into auth.users (id, aud, role, email, raw_app_meta_data, raw_user_meta_data, created_at,
      updated_at) values (gen_random_uuid(), 'authenticated', 'authenticated', ${email}, '{}', '{}', now(), now())`)
  }
}

type Query = (text: string) => Promise<Record<string, unknown>[]>
export const queryOf =
  (from: Database | CopySession): Query =>
  (text) =>
    'db' in from ? queryRows(from.db, sql.raw(text)) : from.query(text)

/** Every field of every row as text, generated columns included, and the sequences. */
export async function readEverything(query: Query): Promise<Record<string, unknown>> {
  const everything: Record<string, unknown> = {}
  const tables = await query(`select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname in ('public', 'auth') and tablename not in ('backups', 'leases') order by 1`)
  for (const { name } of tables) {
    const rows = await query(`select t::text as row from ${name} t order by t::text collate "C"`)
    everything[String(name)] = rows.map(({ row }) => row)
  }
  everything.sequences = await query(`select sequencename as name, last_value::text as value from pg_sequences
    where schemaname in ('public', 'auth') order by 1`)
  everything.migrations = await query(
    'select hash, created_at::text as at from drizzle.__drizzle_migrations order by created_at',
  )
  return everything
}

/** Definitions of everything but tables, so that nothing that a restore drops is missing after it. */
export async function readDefinitions(query: Query): Promise<Record<string, unknown>[]> {
  return query(`
    select definition from (
      select pg_get_indexdef(indexrelid) as definition from pg_index i join pg_class c on c.oid = i.indrelid
        where c.relnamespace in ('public'::regnamespace, 'auth'::regnamespace)
      union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) || convalidated from pg_constraint
        where connamespace in ('public'::regnamespace, 'auth'::regnamespace) and contype <> 'n'
      union all select pg_get_triggerdef(oid) || tgenabled::text from pg_trigger where not tgisinternal
    ) all_of_them order by definition collate "C"`)
}
