/**
 * `npm run bench -- archive [members]`: time, size and memory of an archive of everything on PostgreSQL, and of its import
 * into an empty instance.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPostgres } from '#server/db/open-postgres.ts'
import { onServer } from '#tests/support/on-server.ts'
import { startPostgres } from '../scripts/postgres.ts'
import { addManyUsers } from './support/many-users.ts'
import { measureCommand } from './support/measure-command.ts'
import { round } from './support/statistics.ts'

const members = Number(process.argv[2] ?? 1_000_000)
const directory = mkdtempSync(join(tmpdir(), 'front-counter-bench-'))
const postgres = await startPostgres({ durable: true })
const target = new URL(postgres.url)
target.pathname = '/imported'
const file = join(directory, 'archive.zip')
const measure = (command: 'export' | 'import', databaseUrl: string) =>
  measureCommand([command, file], {
    DATABASE_URL: databaseUrl,
    // Each instance has its own file store.
    DATA_DIR: join(directory, command),
    SECRET_KEY: 'a secret for measuring, long enough as well',
  })

try {
  await (await openPostgres(postgres.url)).close()
  await addManyUsers(postgres.url, members)
  const exported = await measure('export', postgres.url)
  const { size } = await stat(file)
  await onServer(postgres.url, 'create database imported')
  const imported = await measure('import', target.href)
  console.log(`\n${members} members`)
  console.table([
    { what: 'export', ...exported, 'size MB': round(size / 1e6, 1) },
    { what: 'import', ...imported },
  ])
} finally {
  await postgres.stop()
  rmSync(directory, { recursive: true, force: true })
}
