import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { and, eq, isNull } from 'drizzle-orm'
import type { Config } from '#server/config/config.ts'
import { loadSecret } from '#server/config/secret-box.ts'
import { type CopySession, snapshotSettings } from '#server/db/copy-session.ts'
import { isDatabaseTimeout } from '#server/db/database.ts'
import { backups } from '#server/db/schema/index.ts'
import { OperatorError } from '#server/explain-start-error.ts'
import type { Deps } from '#server/feature.ts'
import { tryLease } from '#server/features/billing/subscriptions/sync/lease.ts'
import { AppError } from '#shared/errors.ts'
import { backupTime, createBackupName } from './backup-name.ts'
import type { BackupDestination } from './destinations/folder.ts'
import { openDestination } from './destinations/s3.ts'
import { openBackupFile, verifyBackup } from './format/backup-file.ts'
import { differingTables, requireKnownMigration, restoreDatabase } from './restore-database.ts'
import { selectExpired } from './select-expired.ts'
import { hashTables, writeBackup } from './write-backup.ts'

type KeyConfig = Pick<Config, 'backup'>

/**
 * The key that encrypts new backups. The sandbox generates one in the data directory.
 * @throws OperatorError in production without BACKUP_KEY
 */
function loadBackupKey({ backup }: KeyConfig): string {
  if (backup.key) return loadSecret(backup.key)
  throw new OperatorError(
    'Set BACKUP_KEY to at least 32 random characters first, and keep a copy elsewhere: without it, no backup can be restored.',
  )
}

/**
 * All keys that can decrypt backups.
 * @throws OperatorError if there is none
 */
export function loadRestoreKeys({ backup }: KeyConfig): string[] {
  const { key, previousKeys } = backup
  const hasKey = key?.kind === 'given' || (key?.kind === 'file' && existsSync(key.file))
  const keys = [...(hasKey ? [loadSecret(key)] : []), ...previousKeys]
  if (keys.length > 0) return keys
  throw new OperatorError('Set BACKUP_KEY to the key of the backup. Without it, the backup can’t be restored.')
}

/** A sentence for the owner. Details of other errors are only in the log. */
export function explainBackupError(error: unknown): string {
  if (error instanceof OperatorError || error instanceof AppError) return error.message
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC') return 'The disk is full.'
  if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') return 'The server can’t write to the backup folder.'
  if (isDatabaseTimeout(error)) return 'The database didn’t respond.'
  return 'Something went wrong. See the server log for details.'
}

export type BackupDeps = Pick<Deps, 'config' | 'database' | 'store' | 'clock' | 'logger'> & {
  /** Replaced in tests. */
  destination?: BackupDestination
}

export type BackupRow = typeof backups.$inferSelect
type BackupOrigin = 'schedule' | 'admin' | 'command'

const partialEnding = '.partial'

/**
 * Backs up to the destination, and then deletes expired backups. Runs once at a time across all nodes.
 * @throws OperatorError if a backup is running, or without a key
 */
export async function runBackup(deps: BackupDeps, origin: BackupOrigin): Promise<BackupRow> {
  const key = loadBackupKey(deps.config)
  const row = await tryLease(deps, 'backup', () => backUp(deps, origin, key), { outlivesCrash: true })
  if (!row) throw new OperatorError('A backup is already running. Wait until it is done.')
  return row
}

async function backUp(deps: BackupDeps, origin: BackupOrigin, key: string): Promise<BackupRow> {
  const { db } = deps.database
  const destination = deps.destination ?? openDestination(deps.config)
  await failInterrupted(deps)
  const startedAt = deps.clock()
  const name = createBackupName(startedAt)
  const id = crypto.randomUUID()
  await db.insert(backups).values({ id, name, destination: destination.label, origin, status: 'running', startedAt })
  try {
    const made = await writeAndSave(deps, destination, name, key)
    const [row] = await db
      .update(backups)
      .set({ ...made, status: 'done', finishedAt: deps.clock() })
      .where(eq(backups.id, id))
      .returning()
    await deleteExpired(deps, destination).catch((error: unknown) =>
      deps.logger.error({ err: error }, 'deleting expired backups failed'),
    )
    return row as BackupRow
  } catch (error) {
    await db
      .update(backups)
      .set({ status: 'failed', error: explainBackupError(error), finishedAt: deps.clock() })
      .where(eq(backups.id, id))
    throw error
  }
}

async function writeAndSave(deps: BackupDeps, destination: BackupDestination, name: string, key: string) {
  const { workFolder } = destination
  await deletePartials(workFolder)
  const file = join(workFolder, `${name}${partialEnding}`)
  try {
    const manifest = await writeBackup(deps, file, key)
    const { size: bytes } = await stat(file)
    await destination.save(file, name)
    return {
      bytes,
      rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
      files: manifest.files.length,
      missingFiles: manifest.missingFiles.length,
    }
  } finally {
    await rm(file, { force: true })
  }
}

/** Files of backups that were interrupted. The caller holds the lease, so none is being written. */
async function deletePartials(folder: string) {
  for (const name of await readdir(folder)) {
    if (name.endsWith(partialEnding) && backupTime(name.slice(0, -partialEnding.length))) {
      await rm(join(folder, name), { force: true })
    }
  }
}

/** The caller holds the lease, so a backup that is still `running` has lost its process. */
async function failInterrupted({ database, clock }: BackupDeps) {
  await database.db
    .update(backups)
    .set({ status: 'failed', error: 'The server stopped during the backup.', finishedAt: clock() })
    .where(eq(backups.status, 'running'))
}

async function deleteExpired(deps: BackupDeps, destination: BackupDestination) {
  const found = await destination.list()
  const dated = found.flatMap(({ name }) => {
    const at = backupTime(name)
    return at ? [{ name, at }] : []
  })
  for (const { name } of selectExpired(dated, deps.config.backup.keep)) {
    await destination.delete(name)
    await deps.database.db
      .update(backups)
      .set({ deletedAt: deps.clock() })
      .where(and(eq(backups.name, name), isNull(backups.deletedAt)))
  }
}

type DrillResult = { name: string; passed: boolean; error: string | null; tables: number; rows: number }

/**
 * Restores the newest backup into a temporary database, compares every table with the backup's manifest, and records the
 * result.
 * @throws OperatorError if there is no backup, or a drill is running
 */
export async function runDrill(deps: BackupDeps): Promise<DrillResult> {
  const destination = deps.destination ?? openDestination(deps.config)
  const newest = (await destination.list()).at(-1)
  if (!newest) throw new OperatorError(`There is no backup in ${destination.label} yet.`)
  const { name } = newest
  const result = await tryLease(deps, 'backup-drill', async (): Promise<DrillResult> => {
    try {
      return { name, passed: true, error: null, ...(await restoreAndCompare(deps, name)) }
    } catch (error) {
      deps.logger.error({ err: error, backup: name }, 'backup drill failed')
      return { name, passed: false, error: explainBackupError(error), tables: 0, rows: 0 }
    }
  })
  if (!result) throw new OperatorError('A drill is already running. Wait until it is done.')
  await deps.database.db
    .update(backups)
    .set({ drilledAt: deps.clock(), drillPassed: result.passed, drillError: result.error })
    .where(eq(backups.name, name))
  return result
}

/** @throws BackupError, OperatorError */
async function restoreAndCompare(deps: BackupDeps, name: string) {
  const destination = deps.destination ?? openDestination(deps.config)
  const { file, isTemporary } = await destination.fetch(name)
  try {
    const backup = await openBackupFile(file, loadRestoreKeys(deps.config))
    requireKnownMigration(backup.header)
    const manifest = await verifyBackup(backup)
    const restored = await withScratchDatabase(deps, async (session) => {
      const leftOut = await restoreDatabase(session, backup, manifest, async () => {})
      await session.execute(`begin; ${snapshotSettings}`)
      const tables = await hashTables(session)
      await session.execute('commit')
      return { tables, expected: manifest.tables.filter(({ name }) => !leftOut.includes(name)) }
    })
    const differing = differingTables(restored.expected, restored.tables)
    if (differing.length > 0) {
      throw new OperatorError(`The restored tables differ from the backup: ${differing.slice(0, 5).join(', ')}.`)
    }
    return { tables: restored.tables.length, rows: restored.tables.reduce((sum, { rows }) => sum + rows, 0) }
  } finally {
    if (isTemporary) await rm(file, { force: true })
  }
}

/** A temporary database: in memory on PGlite, and a new database on the PostgreSQL server. */
async function withScratchDatabase<T>(
  { config }: Pick<BackupDeps, 'config'>,
  work: (session: CopySession) => Promise<T>,
): Promise<T> {
  const server = config.backup.drillDatabaseUrl ?? (config.database.kind === 'postgres' ? config.database.url : null)
  if (server === null) {
    const { openPgliteSession } = await import('#server/db/copy-pglite.ts')
    const session = await openPgliteSession()
    return work(session).finally(() => session.close())
  }
  const { openPostgresSession } = await import('#server/db/copy-postgres.ts')
  const onServer = async (...statements: string[]) => {
    const session = await openPostgresSession(server)
    try {
      for (const statement of statements) await session.execute(statement)
    } finally {
      await session.close()
    }
  }
  const name = `front_counter_drill_${randomBytes(6).toString('hex')}`
  await onServer(`create database ${name} template template0`).catch((cause: unknown) => {
    throw new OperatorError(
      'The database user may not create a temporary database for the drill. Grant CREATEDB, or set BACKUP_DRILL_DATABASE_URL.',
      { cause },
    )
  })
  try {
    const url = new URL(server)
    url.pathname = `/${name}`
    const session = await openPostgresSession(url.href)
    return await work(session).finally(() => session.close())
  } finally {
    await onServer(`drop database if exists ${name} with (force)`)
  }
}
