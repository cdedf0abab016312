import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { getTableName } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import type { Config, DatabaseConfig } from '#server/config/config.ts'
import type { CopySession } from '#server/db/copy-session.ts'
import { lockDataDirectory } from '#server/db/directory-lock.ts'
import { migrationLock } from '#server/db/migration-lock.ts'
import { newestMigration } from '#server/db/migrations-folder.ts'
import { openDatabase, unfinishedRestoreFile } from '#server/db/open-database.ts'
import * as schema from '#server/db/schema/index.ts'
import { OperatorError } from '#server/explain-start-error.ts'
import { formatList } from '#shared/domain/format.ts'
import type { Manifest } from './format/records.ts'

export type RestoreTarget = {
  session: CopySession
  /** Makes the restored database the instance's own, and migrates it to this version. */
  commit(): Promise<void>
  close(): Promise<void>
}

type Wanted = {
  /** The database whose data may be replaced; null for none. */
  replace: string | null
  backup: Manifest
}

/**
 * Opens the configured database for a restore.
 * @throws OperatorError if a server uses it, or if it has data and isn't the one named in `replace`
 */
export const openRestoreTarget = (config: Config, wanted: Wanted): Promise<RestoreTarget> =>
  config.database.kind === 'postgres'
    ? openPostgresTarget(config.database, wanted)
    : openPgliteTarget(config.dataDirectory, config.database.directory, wanted)

/** PostgreSQL lists a connection for a moment after its program ended. */
const closingTimeMs = 2_000

async function openPostgresTarget(
  config: Extract<DatabaseConfig, { kind: 'postgres' }>,
  wanted: Wanted,
): Promise<RestoreTarget> {
  const { openPostgresSession } = await import('#server/db/copy-postgres.ts')
  const session = await openPostgresSession(config.url).catch((cause: unknown) => {
    throw new OperatorError(`The database can’t be reached: ${cause instanceof Error ? cause.message : cause}`)
  })
  try {
    const name = await haveToOurselves(session, migrationLock)
    await requireOurTables(session, wanted.backup)
    await requireNoData(session, name, wanted)
  } catch (error) {
    await session.close()
    throw error
  }
  return {
    session,
    async commit() {
      await session.execute('analyze')
      // Frees the lock, which migrating needs.
      await session.close()
      await (await openDatabase({ ...config, poolSize: 2 })).close()
    },
    close: () => session.close(),
  }
}

/**
 * Returns the database's name once no other connection uses it. Takes the lock that starting servers wait for before they
 * migrate.
 * @throws OperatorError if others stay connected
 */
async function haveToOurselves(session: CopySession, lock: number): Promise<string> {
  const waitUntil = Date.now() + closingTimeMs
  let isLocked = false
  for (;;) {
    isLocked ||= await tryLock(session, lock)
    const [state] = await session.query<{ name: string; others: number }>(`
      select current_database() as name, (select count(*)::int from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and usesysid is not null
          and coalesce(backend_type, 'client backend') = 'client backend') as others`)
    const { name = '', others = 0 } = state ?? {}
    if (isLocked && others === 0) return name
    if (Date.now() > waitUntil) {
      throw new OperatorError(
        `The database ${name} is in use by ${others || 1} other connections. Stop all servers and programs that use it, then restore.`,
      )
    }
    await delay(50)
  }
}

async function tryLock(session: CopySession, lock: number): Promise<boolean> {
  const [row] = await session.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [lock])
  return row?.taken === true
}

/** Restores beside the present directory and then exchanges the two, so that a crash loses neither. */
async function openPgliteTarget(dataDirectory: string, directory: string, wanted: Wanted): Promise<RestoreTarget> {
  const { openPgliteSession } = await import('#server/db/copy-pglite.ts')
  mkdirSync(dataDirectory, { recursive: true })
  const lock = lockOrRefuse(dataDirectory)
  const fresh = `${directory}.restoring`
  const replaced = `${directory}.replaced`
  const marker = unfinishedRestoreFile(directory)
  let session: Awaited<ReturnType<typeof openPgliteSession>> | null = null
  const closeSession = async () => {
    await session?.close()
    session = null
  }
  const close = async () => {
    await closeSession()
    lock.release()
  }
  try {
    if (existsSync(directory)) {
      session = await openPgliteSession(directory)
      await requireNoData(session, dataDirectory, wanted)
      await closeSession()
    }
    writeFileSync(marker, new Date().toISOString())
    rmSync(fresh, { recursive: true, force: true })
    mkdirSync(fresh, { recursive: true })
    session = await openPgliteSession(fresh)
  } catch (error) {
    await close()
    throw error
  }
  return {
    session,
    async commit() {
      await closeSession()
      rmSync(replaced, { recursive: true, force: true })
      if (existsSync(directory)) renameSync(directory, replaced)
      renameSync(fresh, directory)
      rmSync(marker, { force: true })
      rmSync(replaced, { recursive: true, force: true })
      await (await openDatabase({ kind: 'pglite', directory })).close()
    },
    close,
  }
}

function lockOrRefuse(dataDirectory: string) {
  try {
    return lockDataDirectory(dataDirectory)
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    throw new OperatorError(`${error.message} A restore needs it to be stopped.`, { cause: error })
  }
}

const ownTables = new Set(
  Object.values(schema).flatMap((table) =>
    table instanceof PgTable ? [`${getTableConfig(table).schema ?? 'public'}.${getTableName(table)}`] : [],
  ),
)

/** Tables and views of our schemas. `isOwn` says whether the user of the connection made it. */
const listTables = (session: CopySession) =>
  session.query<{ name: string; quoted: string; isOwn: boolean }>(`
    select n.nspname || '.' || c.relname as name, format('%I.%I', n.nspname, c.relname) as quoted,
      pg_has_role(c.relowner, 'USAGE') as "isOwn"
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname in ('public', 'auth')
      and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e') order by 1`)

/** Returns the tables that neither this version nor the backup has. */
async function listUnknownTables(session: CopySession, { tables }: Manifest) {
  const known = new Set([...ownTables, ...tables.map(({ name }) => name.replaceAll('"', ''))])
  return (await listTables(session)).filter(({ name }) => !known.has(name))
}

/** A restore drops all tables, so it refuses a database that other programs use as well. */
async function requireOurTables(session: CopySession, backup: Manifest) {
  const isNewer = await isMigratedByNewerVersion(session)
  const unknown = (await listUnknownTables(session, backup)).find(({ isOwn }) => !(isNewer && isOwn))
  if (!unknown) return
  throw new OperatorError(
    `The database also contains ${unknown.name}, which isn’t one of the publication’s tables. Restore into another database.`,
  )
}

async function isMigratedByNewerVersion(session: CopySession): Promise<boolean> {
  const [table] = await session.query<{ id: string | null }>(`select to_regclass('drizzle.__drizzle_migrations') as id`)
  if (!table?.id) return false
  const [row] = await session.query<{ last: string | null }>(`select max(created_at)::text as last from ${table.id}`)
  return Number(row?.last) > newestMigration()
}

async function requireNoData(session: CopySession, database: string, { replace, backup }: Wanted) {
  if (replace !== null && replace !== database) {
    throw new OperatorError(`The database is ${database}, not ${replace}, so nothing was replaced.`)
  }
  if (replace === database) return
  for (const { quoted } of await listTables(session)) {
    const [row] = await session.query<{ found: boolean }>(`select exists (select 1 from ${quoted}) as found`)
    if (!row?.found) continue
    const newer = formatList((await listUnknownTables(session, backup)).map((table) => table.name))
    throw new OperatorError(
      `The database ${database} has data, so nothing was restored. To replace all of it${newer && `, including ${newer} of a newer version`}, add --replace ${database}`,
    )
  }
}
