import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '#server/db/database.ts'
import { migrationsFolder } from '#server/db/migrations-folder.ts'

let newestOfCode: number | null = null

function readNewestOfCode(): number {
  const journal = JSON.parse(readFileSync(join(migrationsFolder, 'meta/_journal.json'), 'utf8')) as {
    entries: { when: number }[]
  }
  return Math.max(...journal.entries.map(({ when }) => when))
}

/** Compares the newest migration of the database with that of this version. */
export async function readMigrationsState({ read }: Pick<Database, 'read'>): Promise<'ok' | 'older' | 'newer'> {
  newestOfCode ??= readNewestOfCode()
  const [row] = await read<{ newest: string | number | null }>(
    'newest-migration',
    'select max(created_at) as newest from drizzle.__drizzle_migrations',
    [],
  )
  const newest = Number(row?.newest ?? 0)
  if (newest === newestOfCode) return 'ok'
  return newest > newestOfCode ? 'newer' : 'older'
}
