/**
 * `npm run bench -- backup [members]`: time, size and memory of a backup of a million members on PostgreSQL, and of its
 * restore into an empty database.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPostgres } from '#server/db/open-postgres.ts'
import { runOperatorCommand } from '#server/run-operator-command.ts'
import { onServer } from '#tests/support/on-server.ts'
import { startPostgres } from '../scripts/postgres.ts'
import { addManyUsers } from './support/many-users.ts'
import { measureCommand } from './support/measure-command.ts'
import { round } from './support/statistics.ts'

const members = Number(process.argv[2] ?? 1_000_000)
const directory = mkdtempSync(join(tmpdir(), 'front-counter-bench-'))
const postgres = await startPostgres({ durable: true })
const target = new URL(postgres.url)
target.pathname = '/restored'
const env = (databaseUrl: string) => ({
  DATABASE_URL: databaseUrl,
  DATA_DIR: join(directory, 'data'),
  BACKUP_DESTINATION: join(directory, 'backups'),
  BACKUP_KEY: 'a key for measuring, which is long enough',
  SECRET_KEY: 'a secret for measuring, long enough as well',
})

const measure = (args: string[], databaseUrl: string) => measureCommand(args, env(databaseUrl))

try {
  await (await openPostgres(postgres.url)).close()
  await addManyUsers(postgres.url, members)
  const [backup, drill] = [await measure(['backup'], postgres.url), process.argv[3] === 'drill']
  const name = (await runOperatorCommand(['backup', 'list'], env(postgres.url))).lines[0]?.split(' ')[0] ?? ''
  const { size } = await stat(join(directory, 'backups', name))
  await onServer(postgres.url, 'create database restored')
  const restore = await measure(['restore', 'latest'], target.href)
  const rows = [
    { what: 'backup', ...backup, 'size MB': round(size / 1e6, 1) },
    { what: 'restore', ...restore },
    ...(drill ? [{ what: 'drill', ...(await measure(['backup', 'drill'], postgres.url)) }] : []),
  ]
  console.log(`\n${members} members`)
  console.table(rows)
} finally {
  await postgres.stop()
  rmSync(directory, { recursive: true, force: true })
}
