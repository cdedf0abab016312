import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { eq } from 'drizzle-orm'
import { type CopySession, snapshotSettings } from '#server/db/copy-session.ts'
import { backups } from '#server/db/schema/index.ts'
import { OperatorError } from '#server/explain-start-error.ts'
import { tryLease } from '#server/features/billing/subscriptions/sync/lease.ts'
import { openDestination } from './destinations/s3.ts'
import { openBackupFile, verifyBackup } from './format/backup-file.ts'
import { differingTables, requireKnownMigration, restoreDatabase } from './restore-database.ts'
import { type BackupDeps, explainBackupError, loadRestoreKeys } from './run-backup.ts'
import { hashTables } from './write-backup.ts'

export type DrillResult = { name: string; passed: boolean; error: string | null; tables: number; rows: number }

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
      await restoreDatabase(session, backup, manifest, async () => {})
      await session.execute(`begin; ${snapshotSettings}`)
      const tables = await hashTables(session)
      await session.execute('commit')
      return tables
    })
    const differing = differingTables(manifest.tables, restored)
    if (differing.length > 0) {
      throw new OperatorError(`The restored tables differ from the backup: ${differing.slice(0, 5).join(', ')}.`)
    }
    return { tables: restored.length, rows: restored.reduce((sum, { rows }) => sum + rows, 0) }
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
