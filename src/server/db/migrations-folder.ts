import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator'

/** The schema of 1.0.0, `0000_baseline.sql`, and what came after it. */
export const migrationsFolder = fileURLToPath(new URL('../../../drizzle', import.meta.url))

/** What leads a database of an earlier version to the baseline. */
export const earlierMigrationsFolder = join(migrationsFolder, 'before-1.0')

/** Drizzle's table of applied migrations. */
export const createMigrationsTable = `create schema if not exists drizzle;
  create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`

export const recordMigration = 'insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)'

/** When the newest migration was written, in ms since 1970: what Drizzle records as `created_at`. */
export function newestMigration(): number {
  const { entries } = JSON.parse(readFileSync(join(migrationsFolder, 'meta/_journal.json'), 'utf8')) as {
    entries: { when: number }[]
  }
  return Math.max(...entries.map(({ when }) => when))
}

/**
 * What a database lacks. From before 1.0.0, the earlier migrations lead to the baseline, which is then recorded without
 * running it.
 * @param last `created_at` of its newest migration, 0 if it is new
 */
export function pendingMigrations(last: number): MigrationMeta[] {
  // Reading and hashing migrations takes long compared with the rest of a start.
  if (last >= newestMigration()) return []
  const current = readMigrationFiles({ migrationsFolder })
  const pending = current.filter(({ folderMillis }) => folderMillis > last)
  const [baseline] = current
  if (last === 0 || !baseline || pending[0] !== baseline) return pending
  const earlier = readMigrationFiles({ migrationsFolder: earlierMigrationsFolder })
  return [...earlier.filter(({ folderMillis }) => folderMillis > last), { ...baseline, sql: [] }, ...pending.slice(1)]
}

/** What makes a new database whose newest migration is from `when`; null if this version doesn't know it. */
export function migrationsUntil(when: number): MigrationMeta[] | null {
  for (const folder of [migrationsFolder, earlierMigrationsFolder]) {
    const all = readMigrationFiles({ migrationsFolder: folder })
    const end = all.findIndex(({ folderMillis }) => folderMillis === when)
    if (end !== -1) return all.slice(0, end + 1)
  }
  return null
}
