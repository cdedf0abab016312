import { existsSync } from 'node:fs'
import type { DatabaseConfig } from '#server/config/config.ts'
import { OperatorError } from '#server/explain-start-error.ts'
import type { Database } from './database.ts'

/** Exists while a backup is being restored into an embedded database. */
export const unfinishedRestoreFile = (directory: string) => `${directory}.unfinished-restore`

/**
 * Opens the configured database. Loads only the driver it needs.
 * @throws OperatorError if a restore was interrupted
 */
export async function openDatabase(config: DatabaseConfig, onIdleError?: (error: Error) => void): Promise<Database> {
  if (config.kind === 'postgres') {
    const { openPostgres } = await import('./open-postgres.ts')
    return openPostgres(config.url, { poolSize: config.poolSize, onIdleError })
  }
  const marker = unfinishedRestoreFile(config.directory)
  if (existsSync(marker)) {
    throw new OperatorError(
      `A restore into ${config.directory} didn’t finish. Run npm run restore again, or delete ${marker} to use what was there before.`,
    )
  }
  const { openPglite } = await import('./open-pglite.ts')
  return openPglite(config.directory)
}
