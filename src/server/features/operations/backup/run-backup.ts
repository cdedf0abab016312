import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { and, eq, isNull } from 'drizzle-orm'
import { backups } from '#server/db/schema/index.ts'
import type { Deps } from '#server/deps.ts'
import { tryLease } from '#server/features/billing/subscriptions/sync/lease.ts'
import { OperatorError } from '#server/operator-error.ts'
import { loadBackupKey } from './backup-keys.ts'
import { backupTime, createBackupName } from './backup-name.ts'
import type { BackupDestination } from './destinations/destination.ts'
import { openDestination } from './destinations/open-destination.ts'
import { explainBackupError } from './explain-backup-error.ts'
import { selectExpired } from './select-expired.ts'
import { writeBackup } from './write-backup.ts'

export type BackupDeps = Pick<Deps, 'config' | 'database' | 'store' | 'clock' | 'logger'> & {
  /** Replaced in tests. */
  destination?: BackupDestination
}

export type BackupRow = typeof backups.$inferSelect
export type BackupOrigin = 'schedule' | 'admin' | 'command'

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
