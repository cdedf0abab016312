import { OperatorError } from '#server/explain-start-error.ts'
import { formatDay } from '#shared/domain/format.ts'
import { backupTime } from './backup-name.ts'
import { openDestination } from './destinations/s3.ts'
import { type BackupDeps, explainBackupError, runBackup, runDrill } from './run-backup.ts'

/**
 * `npm run backup`, `npm run backup -- list` and `npm run backup -- drill`.
 * @returns lines to print, or null for an unknown command
 * @throws OperatorError
 */
export async function runBackupCommand(deps: BackupDeps, verb: string | undefined): Promise<string[] | null> {
  const destination = deps.destination ?? openDestination(deps.config)
  if (verb === undefined) {
    const made = await runBackup(deps, 'command').catch((error: unknown) => {
      deps.logger.error({ err: error }, 'backup failed')
      throw error instanceof OperatorError
        ? error
        : new OperatorError(`The backup failed. ${explainBackupError(error)}`)
    })
    const { key } = deps.config.backup
    return [
      `Backed up ${made.rows} rows and ${made.files} files to ${made.name} in ${destination.label} (${formatBytes(made.bytes ?? 0)}, encrypted).`,
      ...(made.missingFiles ? [`${made.missingFiles} files are missing from the file store.`] : []),
      ...(key?.kind === 'file'
        ? [`The key is in ${key.file}. Keep a copy elsewhere: without it, no backup can be restored.`]
        : []),
    ]
  }
  if (verb === 'list') {
    const found = await destination.list()
    if (found.length === 0) return [`There is no backup in ${destination.label} yet.`]
    return found.map(({ name, bytes }) => {
      const day = formatDay(backupTime(name)?.toISOString().slice(0, 10) ?? '')
      return `${name} · ${day} · ${formatBytes(bytes)}`
    })
  }
  if (verb !== 'drill') return null
  const { name, passed, error, tables, rows } = await runDrill(deps)
  if (!passed) throw new OperatorError(`The drill with ${name} failed. ${error}`)
  return [`Restored ${name} into a temporary database: ${rows} rows in ${tables} tables are the same as in the backup.`]
}

function formatBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB']
  let value = bytes
  let unit = 0
  for (; value >= 1000 && unit < units.length - 1; unit += 1) value /= 1000
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`
}
