import { getTableName } from 'drizzle-orm'
import { type CopySession, copySettings } from '#server/db/copy-session.ts'
import {
  createMigrationsTable,
  migrationsUntil,
  newestMigration,
  recordMigration,
} from '#server/db/migrations-folder.ts'
import { tableRegistry } from '#server/db/table-registry.ts'
import type { OpenBackup } from './format/backup-file.ts'
import { BackupError, type BackupHeader } from './format/backup-header.ts'
import type { BackupRecord, FileStart, Manifest } from './format/records.ts'

export type StoredTable = {
  /** Quoted and with its schema, as in SQL. */
  name: string
  /** Quoted. Without generated columns, which the database fills in again. */
  columns: string[]
  /** Expressions that order its rows in the same way on every engine. */
  order: string[]
}

const tablesWithoutBackup = tableRegistry.flatMap(({ table, backedUp }) =>
  backedUp === false ? [`public.${getTableName(table)}`] : [],
)

/** All tables of the app by name. The job queue has its own schema and isn't part of a backup. */
export async function readTables(session: CopySession): Promise<StoredTable[]> {
  const rows = await session.query<{ tables: string }>(`
    select coalesce(json_agg(t order by t.name), '[]')::text as tables from (
      select format('%I.%I', n.nspname, c.relname) collate "C" as name,
        (select coalesce(json_agg(quote_ident(a.attname) order by a.attnum), '[]') from pg_attribute a
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
        (select coalesce(json_agg(quote_ident(a.attname) || case when a.attcollation <> 0 then ' collate "C"' else '' end
            order by key.place), '[]')
          from pg_index i cross join lateral unnest(i.indkey) with ordinality as key (attnum, place)
          join pg_attribute a on a.attrelid = c.oid and a.attnum = key.attnum
          where i.indrelid = c.oid and i.indisprimary) as order
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname in ('public', 'auth')
        and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    ) t`)
  const tables = JSON.parse(rows[0]?.tables ?? '[]') as StoredTable[]
  return tables.filter(({ name }) => !tablesWithoutBackup.includes(name))
}

/** The rows of a table in a fixed order. */
export async function* readRows(session: CopySession, { name, columns, order }: StoredTable): AsyncGenerator<Buffer> {
  const keys = order.length > 0 ? order : [`${name.split('.')[1]}::text collate "C"`]
  const select = `select ${columns.join(', ')} from ${name}`
  const orderBy = `order by ${keys.join(', ')}`
  if (order.length === 0 || session.maxRowsPerCopy === Number.POSITIVE_INFINITY) {
    yield* session.copyOut(`${select} ${orderBy}`)
    return
  }
  const key = `(${keys.join(', ')})`
  const bounds = await session.query<{ bound: string }>(`
    select (${keys.map((each) => `quote_literal(${each})`).join(` || ', ' || `)}) as bound
    from (select *, row_number() over (${orderBy}) as place from ${name}) numbered
    where place % ${session.maxRowsPerCopy} = 0 ${orderBy}`)
  let after = ''
  for (const { bound } of bounds) {
    yield* session.copyOut(`${select} where ${key} <= (${bound}) ${after && `and ${key} > (${after})`} ${orderBy}`)
    after = bound
  }
  yield* session.copyOut(`${select} ${after && `where ${key} > (${after})`} ${orderBy}`)
}

export async function readSequences(session: CopySession): Promise<{ name: string; value: string | null }[]> {
  return session.query(`
    select format('%I.%I', schemaname, sequencename) collate "C" as name, last_value::text as value
    from pg_sequences where schemaname in ('public', 'auth') order by 1`)
}

/** The newest migration of the database. */
export async function readMigration(session: CopySession): Promise<{ number: number; when: number }> {
  const [row] = await session.query<{ number: string; when: string }>(
    'select (count(*) - 1)::text as number, max(created_at)::text as when from drizzle.__drizzle_migrations',
  )
  return { number: Number(row?.number), when: Number(row?.when) }
}

type SaveFile = (file: FileStart, bytes: Buffer) => Promise<void>

/** @throws BackupError if this version doesn't know the backup's migration */
export function requireKnownMigration({ migration, appVersion }: BackupHeader): void {
  if (migrationsUntil(migration.when)) return
  const [its, ours] = [migration.when, newestMigration()].map((when) =>
    new Date(when).toISOString().slice(0, 16).replace('T', ' '),
  )
  throw new BackupError(
    `The backup is from a newer version: ${appVersion} with database changes up to ${its} UTC. This one’s end at ${ours}. Update, then restore it.`,
  )
}

/**
 * Replaces everything in the database with the backup, in one transaction of the session. The schema is the backup's; the
 * caller migrates it afterwards. Indexes and foreign keys are created after the rows, which is faster, and checks them.
 * @param finish runs in the same transaction
 * @returns the names of tables that aren't ours: a backup has everything in `public`, and a restore leaves those out
 */
export async function restoreDatabase(
  session: CopySession,
  backup: OpenBackup,
  manifest: Manifest,
  saveFile: SaveFile,
  finish: (session: CopySession) => Promise<void> = async () => {},
): Promise<string[]> {
  await session.execute(`begin; ${copySettings}`)
  try {
    await dropEverything(session)
    const ours = await createSchema(session, backup.header.migration.when)
    const rebuild = await dropIndexesAndKeys(session)
    await copyRecords(session, backup, ours, saveFile)
    for (const statement of rebuild) await session.execute(statement)
    for (const { name, value } of manifest.sequences) {
      if (value !== null) await session.query('select setval(to_regclass($1), $2::bigint)', [name, value])
    }
    await finish(session)
    await session.execute('commit')
    return manifest.tables.map(({ name }) => name).filter((name) => !ours.has(name))
  } catch (error) {
    await session.execute('rollback').catch(() => {})
    throw error
  }
}

/** Drops our schemas, and everything in `public` except what extensions own. */
async function dropEverything(session: CopySession) {
  await session.execute('drop schema if exists pgboss, drizzle, auth cascade')
  const objects = await session.query<{ statement: string }>(`
    with ours as (
      select 1 as place, 'pg_class'::regclass as class, oid,
          format('drop %s if exists public.%I cascade', case relkind when 'S' then 'sequence' when 'v' then 'view'
            when 'm' then 'materialized view' when 'f' then 'foreign table' else 'table' end, relname) as statement
        from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'S', 'v', 'm', 'f')
      union all
      select 2, 'pg_proc'::regclass, oid, format('drop routine if exists %s cascade', oid::regprocedure)
        from pg_proc where pronamespace = 'public'::regnamespace
      union all
      select 3, 'pg_type'::regclass, oid, format('drop type if exists public.%I cascade', typname)
        from pg_type where typnamespace = 'public'::regnamespace and typtype in ('e', 'd', 'r')
    )
    select statement from ours
    where not exists (select 1 from pg_depend d where d.classid = class and d.objid = ours.oid and d.deptype = 'e')
    order by place, statement`)
  for (const { statement } of objects) await session.execute(statement)
}

/**
 * Applies the migrations up to the one of `when`, and records them as the migrator does.
 * @returns the names of the tables
 */
async function createSchema(session: CopySession, when: number) {
  await session.execute(createMigrationsTable)
  for (const { sql, hash, folderMillis } of migrationsUntil(when) ?? []) {
    for (const statement of sql) await session.execute(statement)
    await session.query(recordMigration, [hash, folderMillis])
  }
  // Rows that migrations insert are in the backup as well.
  const names = (await readTables(session)).map(({ name }) => name)
  await session.execute(`truncate ${names.join(', ')}`)
  return new Set(names)
}

/**
 * Drops secondary indexes and foreign keys and turns triggers off: the rows of counters are in the backup.
 * @returns the statements that undo it
 */
async function dropIndexesAndKeys(session: CopySession): Promise<string[]> {
  const schemas = `('public'::regnamespace, 'auth'::regnamespace)`
  const keys = await session.query<{ drop: string; create: string }>(`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as create
    from pg_constraint where contype = 'f' and connamespace in ${schemas} order by 1`)
  const indexes = await session.query<{ drop: string; create: string }>(`
    select format('drop index %s', i.indexrelid::regclass) as drop, pg_get_indexdef(i.indexrelid) as create
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relnamespace in ${schemas} and not exists (
      select 1 from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))
    order by 1`)
  const triggers = await session.query<{ drop: string; create: string }>(`
    select distinct format('alter table %s disable trigger user', tgrelid::regclass) as drop,
      format('alter table %s enable trigger user', tgrelid::regclass) as create
    from pg_trigger where not tgisinternal order by 1`)
  for (const { drop } of [...keys, ...indexes, ...triggers]) await session.execute(drop)
  return [...indexes, ...keys, ...triggers].map(({ create }) => create)
}

async function copyRecords(session: CopySession, backup: OpenBackup, ours: ReadonlySet<string>, saveFile: SaveFile) {
  const records = backup.records()
  const next = async (): Promise<BackupRecord | null> => (await records.next()).value ?? null
  let following = await next()
  /** The records of one kind, up to the first of another. */
  const allOf = async function* <Kind extends BackupRecord['kind']>(kind: Kind) {
    for (following = await next(); following?.kind === kind; following = await next()) {
      yield following as Extract<BackupRecord, { kind: Kind }>
    }
  }
  const rows = async function* () {
    for await (const record of allOf('R')) yield record.rows
  }
  try {
    while (following && following.kind !== 'M') {
      if (following.kind === 'T') {
        const { name, columns } = following.table
        if (ours.has(name)) await session.copyIn(`${name} (${columns.join(', ')})`, rows())
        else for await (const _ of rows());
      } else if (following.kind === 'F') {
        const { file } = following
        const bytes: Buffer[] = []
        for await (const record of allOf('B')) bytes.push(record.bytes)
        await saveFile(file, Buffer.concat(bytes))
      } else throw new Error(`Unexpected record ${following.kind}`)
    }
  } finally {
    await records.return(undefined)
  }
}

/** Names of tables that differ from the backup. The rows are compared by count and hash. */
export function differingTables(expected: Manifest['tables'], actual: Manifest['tables']): string[] {
  const describe = (tables: Manifest['tables']) =>
    new Map(tables.map(({ name, rows, sha256 }) => [name, `${rows} ${sha256}`]))
  const [wanted, found] = [describe(expected), describe(actual)]
  return [...new Set([...wanted.keys(), ...found.keys()])].filter((name) => wanted.get(name) !== found.get(name)).sort()
}
