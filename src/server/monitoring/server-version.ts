import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { migrationsFolder } from '#server/db/migrations-folder.ts'

let known: string | undefined

/** Version and number of migrations, which change more often, such as `0.4.0 (database 83)`. */
export function readServerVersion(): string {
  known ??= `${readPackageVersion()} (database ${countMigrations()})`
  return known
}

export function readPackageVersion(): string {
  const file = new URL('../../../package.json', import.meta.url)
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}

const countMigrations = () =>
  (JSON.parse(readFileSync(join(migrationsFolder, 'meta/_journal.json'), 'utf8')) as { entries: unknown[] }).entries
    .length
