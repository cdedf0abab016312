import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const migrationsFolder = fileURLToPath(new URL('../../../drizzle', import.meta.url))

/** When the newest migration of the folder was written, in ms since 1970: what Drizzle records as `created_at`. */
export function newestMigration(folder = migrationsFolder): number {
  const { entries } = JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8')) as {
    entries: { when: number }[]
  }
  return Math.max(...entries.map(({ when }) => when))
}
