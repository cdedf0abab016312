import { randomBytes } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { getTableName, sql } from 'drizzle-orm'
import { inject } from 'vitest'
import { type Database, queryRows } from '#server/db/database.ts'
import { openPglite } from '#server/db/open-pglite.ts'
import { openPostgres } from '#server/db/open-postgres.ts'
import {
  contentDocument,
  contentItems,
  contentPages,
  contentRevision,
  guides,
  issueSections,
  issues,
  promptCategories,
  prompts,
  searchVocabulary,
  seedState,
  tools,
} from '#server/db/schema/index.ts'
import { onServer } from './on-server.ts'

export type TestDatabase = Database & {
  /** Connection string for other processes; undefined on PGlite. */
  url: string | undefined
  /** Empties all tables except the signing keys, within milliseconds. Content that is kept needn't be seeded again. */
  truncate(options?: { keepsContent: boolean }): Promise<void>
}

const isOurs = `relnamespace in ('public'::regnamespace, 'auth'::regnamespace)`

/** Tables that have pages: rows, or rows deleted since the last vacuum. */
const usedTables = `
  select oid::regclass::text as name from pg_class where relkind = 'r' and ${isOurs} and pg_relation_size(oid) > 0`

/** Tables that seeding content fills. */
const contentTables = [
  issues,
  issueSections,
  promptCategories,
  prompts,
  guides,
  tools,
  contentPages,
  contentDocument,
  contentRevision,
  contentItems,
  searchVocabulary,
  seedState,
]

const isNot = (names: readonly string[]) => `relname not in (${names.map((name) => `'${name}'`).join(', ')})`

/**
 * Waits for running transactions, as `truncate` does, and then deletes with foreign keys and triggers turned off.
 * `truncate` itself is slower: it creates a new file for each of about 170 tables and indexes and discards all plans.
 */
const emptyTablesExcept = (kept: readonly string[]) =>
  sql.raw(`
  do $$ declare one text; begin
    set local lock_timeout = '15s';
    execute 'lock table ' || (
      select string_agg(oid::regclass::text, ', ') from pg_class
        where relkind = 'r' and ${isOurs} and ${isNot(kept)});
    set local session_replication_role = replica;
    for one in ${usedTables} and ${isNot(kept)} loop
      execute 'delete from ' || one;
    end loop;
    for one in
      select seqrelid::regclass::text from pg_sequence join pg_class on oid = seqrelid
        where ${isOurs} and ${isNot(kept)} and pg_sequence_last_value(seqrelid) is not null
    loop
      perform setval(one::regclass, 1, false);
    end loop;
  end $$`)

const emptyTables = emptyTablesExcept(['signing_keys'])
const emptyAllButContent = emptyTablesExcept([
  'signing_keys',
  'content_revision_revision_seq',
  ...contentTables.map(getTableName),
])

/** On PostgreSQL other connections than the tests' own: turning off triggers discards all plans of a session. */
const emptier = (database: Database) => database.background

type Copy = {
  open(): Promise<Database>
  drop(): Promise<void>
  url: string | undefined
  /** The schema when it was new. */
  schema?: unknown
}

/** Left by earlier files of this process, which share its modules. Making another one takes up to half a second. */
const idle: Copy[] = []

type OpenOptions = {
  /** One that no other file has used, for tests of what the process remembers of a database. */
  unused?: boolean
}

/** Returns an empty database for one test file: PGlite in memory, or a database on the server in DATABASE_URL. */
export async function openTestDatabase({ unused = false }: OpenOptions = {}): Promise<TestDatabase> {
  const server = process.env.DATABASE_URL
  const copy = (unused ? undefined : idle.pop()) ?? (server ? await copyOnPostgres(server) : await copyInMemory())
  const database = await copy.open()
  copy.schema ??= await readSchema(database)
  return {
    ...database,
    url: copy.url,
    async truncate({ keepsContent } = { keepsContent: false }) {
      await emptier(database).execute(keepsContent ? emptyAllButContent : emptyTables)
    },
    close: () => closeOrKeep(copy, database),
  }
}

/** Also runs the migrations, which find nothing to do. Stays open for the next file. */
async function copyInMemory(): Promise<Copy> {
  const database = await openPglite(undefined, { loadDataDir: await openAsBlob(inject('emptyDatabase')) })
  return { open: async () => database, drop: () => database.close(), url: undefined }
}

/** Each file has connections of its own, since the names of prepared statements belong to an application. */
async function copyOnPostgres(url: string): Promise<Copy> {
  const template = inject('emptyDatabase')
  const name = `${template}_${randomBytes(6).toString('hex')}`
  await onServer(url, `create database ${name} template ${template}`)
  const own = new URL(url)
  own.pathname = `/${name}`
  return {
    open: () => openPostgres(own.href),
    drop: () => onServer(url, `drop database if exists ${name} with (force)`),
    url: own.href,
  }
}

/** Keeps the copy for the next file unless its schema changed or a transaction never ended. */
async function closeOrKeep(copy: Copy, database: Database) {
  const reset = async () => {
    await emptier(database).execute(emptyTables)
    await database.db.execute(sql`delete from auth.signing_keys`)
    if (!copy.url) await tidySession(database)
    return (await readSchema(database)) === copy.schema
  }
  const tooLong = new Promise<false>((resolve) => setTimeout(resolve, 5_000, false).unref())
  const isEmpty = await Promise.race([reset().catch(() => false), tooLong])
  if (copy.url) await database.close()
  if (isEmpty) idle.push(copy)
  else await copy.drop()
}

/** PGlite has one session for all files, and no autovacuum. */
async function tidySession({ db }: Database) {
  await db.execute(sql`reset all`)
  const used = await queryRows<{ name: string }>(db, sql.raw(usedTables))
  if (used.length > 0) await db.execute(sql.raw(`vacuum ${used.map(({ name }) => name).join(', ')}`))
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
