import type { Database } from '#server/db/database.ts'
import { newestMigration } from '#server/db/migrations-folder.ts'

let newestOfCode: number | null = null

/** Compares the newest migration of the database with that of this version. */
export async function readMigrationsState({ read }: Pick<Database, 'read'>): Promise<'ok' | 'older' | 'newer'> {
  newestOfCode ??= newestMigration()
  const [row] = await read<{ newest: string | number | null }>(
    'newest-migration',
    'select max(created_at) as newest from drizzle.__drizzle_migrations',
    [],
  )
  const newest = Number(row?.newest ?? 0)
  if (newest === newestOfCode) return 'ok'
  return newest > newestOfCode ? 'newer' : 'older'
}
