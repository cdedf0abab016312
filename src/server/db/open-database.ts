import type { DatabaseConfig } from '#server/config/config.ts'
import type { Database } from './database.ts'

/** Opens the configured database. Loads only the driver it needs. */
export async function openDatabase(config: DatabaseConfig, onIdleError?: (error: Error) => void): Promise<Database> {
  if (config.kind === 'postgres') {
    const { openPostgres } = await import('./open-postgres.ts')
    return openPostgres(config.url, { poolSize: config.poolSize, onIdleError })
  }
  const { openPglite } = await import('./open-pglite.ts')
  return openPglite(config.directory)
}
