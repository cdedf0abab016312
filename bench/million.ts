/**
 * `npm run bench -- million [members] [pages|series|import|backup]`: what a publication of that size does beside its members
 * list (`members`) and its mailings (`newsletter prepare`, `newsletter memory`), on PostgreSQL: start, a member's page,
 * deleting an account, a series in which all members wait, an import of as many new members, a backup and its restore.
 * The import's baseline is `COPY` of the same rows in the same run. The number of members is a multiple of 1,000.
 */
import { execFileSync } from 'node:child_process'
import { createWriteStream, openAsBlob, statSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { readConfig } from '#server/config/config.ts'
import { openPostgres } from '#server/db/open-postgres.ts'
import { runRestoreCommand } from '#server/features/operations/backup/restore-command.ts'
import { writeBackup } from '#server/features/operations/backup/write-backup.ts'
import { openStore } from '#server/media/s3-store.ts'
import type { MemberImport } from '#shared/contracts/operations/member-import.ts'
import { findPostgres, startPostgres } from '../scripts/postgres.ts'
import { builtServer } from '../scripts/prepare.mjs'
import { createClient } from './support/http-client.ts'
import { addManyMembers } from './support/many-members.ts'
import { residentMb, signIn, startProgram, temporaryDirectory } from './support/server.ts'
import { quantile, round } from './support/statistics.ts'

const members = Number(process.argv[2] ?? 1_000_000)
const only = process.argv[3]
const pages = 200
const secret = 'a secret for measuring that is long enough'

const postgres = await startPostgres({ durable: true })
const directory = temporaryDirectory()
const environment = { DATABASE_URL: postgres.url, SECRET_KEY: secret, DATA_DIR: directory }
const otherUrl = Object.assign(new URL(postgres.url), { pathname: '/restored' }).href
const client = new pg.Client({ connectionString: postgres.url })
const http = createClient(1)
const results: Record<string, string> = {}
const report = (what: string, result: string) => {
  results[what] = result
  console.error(`${what}: ${result}`)
}
const secondsOf = async (work: () => unknown) => {
  const startedAt = performance.now()
  await work()
  return (performance.now() - startedAt) / 1000
}

/** The highest memory of a process while `work` runs. */
async function peakMb(pid: number, work: () => Promise<unknown>) {
  let peak = 0
  const watch = setInterval(() => {
    peak = Math.max(peak, residentMb(pid))
  }, 200)
  await work().finally(() => clearInterval(watch))
  return round(peak)
}

await (await openPostgres(postgres.url)).close()
await addManyMembers(postgres.url, members)
await client.connect()
await (await startProgram(builtServer, environment)).stop()
const server = await startProgram(builtServer, environment)
report('start', `${round(server.startMs)} ms, ${round(residentMb(server.pid))} MB`)

const headersOf = async (email: string) => ({
  authorization: `Bearer ${(await signIn(server.url, email)).access_token}`,
})
const call = async (name: string, input: object, headers: Record<string, string>) => {
  const { status, body } = await http.send('POST', `${server.url}/functions/v1/${name}`, headers, input)
  if (status !== 200) throw new Error(`${name}: ${status} ${body}`)
  return JSON.parse(body)
}

async function measurePages() {
  const owner = await headersOf('admin@frontcounter.test')
  const { rows } = await client.query(`select id from auth.users tablesample system (1) limit ${pages}`)
  const times: number[] = []
  for (const { id } of rows) times.push(1000 * (await secondsOf(() => call('admin-member', { userId: id }, owner))))
  report('member’s page', `p50 ${round(quantile(times, 0.5), 1)} ms, p95 ${round(quantile(times, 0.95), 1)} ms`)
  const reader = await headersOf('pro@frontcounter.test')
  const deletion = () => call('delete-account', { email: 'pro@frontcounter.test' }, reader)
  report('deleting an account', `${round(1000 * (await secondsOf(deletion)))} ms`)
}

/** Everybody waits; as many steps are due as a minute brings if they entered over a month. */
async function measureSeries() {
  const step = '00000000-0000-4000-8000-000000000001'
  const due = Math.ceil(members / 30 / 24 / 60)
  const steps = JSON.stringify([{ kind: 'wait', id: step, amount: 1, unit: 'days' }])
  const { rows } = await client.query(
    `insert into series (id, name, trigger, steps, status, created_at, updated_at)
     values (gen_random_uuid(), 'All', '{"kind":"free_sign_up"}', $1, 'on', now(), now()) returning id`,
    [steps],
  )
  await client.query(
    `insert into series_entry (series_id, user_id, entered_at, step_id, due_at)
     select $1, id, now(), $2, now() + case when n <= $3::int then interval '5 seconds' else interval '20 days' end
     from (select id, row_number() over () as n from auth.users) u`,
    [rows[0].id, step, due],
  )
  await client.query('vacuum analyze series_entry')
  const isWaiting = `select 1 from series_entry where due_at < now() + interval '1 day' limit 1`
  const took = await secondsOf(async () => {
    while ((await client.query(isWaiting)).rows.length > 0) await delay(250)
  })
  report(
    'series',
    `${due} of ${members + 4} due members moved in ${round(took, 1)} s, the wait for the minute included`,
  )
}

async function* rowsOfFile() {
  yield 'email,name,created_at,labels\n'
  for (let n = 0; n < members; n += 1_000) {
    const line = (_: unknown, i: number) =>
      `reader${n + i}@d${(n + i) % 997}.test,Reader ${n + i},2024-05-0${1 + (i % 9)},moved\n`
    yield Array.from({ length: 1_000 }, line).join('')
  }
}

async function measureImport() {
  const file = join(directory, 'members.csv')
  await pipeline(Readable.from(rowsOfFile()), createWriteStream(file))
  await client.query('create table copied (email text primary key, name text, created_at text, labels text)')
  const copy = `\\copy copied from '${file}' with (format csv, header)`
  const psql = join(findPostgres() ?? '', 'psql')
  const copied = await secondsOf(() => execFileSync(psql, ['-q', '-c', copy, postgres.url]))
  await client.query('drop table copied')
  const owner = await headersOf('admin@frontcounter.test')
  const wait = async (id: string, ended: string) => {
    for (;;) {
      const found = await call('admin-member-import', { id }, owner)
      if (found.status === ended) return found
      if (['failed', 'canceled'].includes(found.status)) throw new Error(`The import is ${found.status}`)
      await delay(500)
    }
  }
  const before = residentMb(server.pid)
  const seconds = { check: 0, import: 0 }
  const peak = await peakMb(server.pid, async () => {
    seconds.check = await secondsOf(async () => {
      const uploaded = await fetch(`${server.url}/functions/v1/admin-upload-members?name=members.csv`, {
        method: 'POST',
        headers: owner,
        body: await openAsBlob(file),
      })
      const { id, source, mapping, error } = (await uploaded.json()) as MemberImport & { error?: string }
      if (error) throw new Error(error)
      const options = {
        fillExisting: false,
        unsubscribeExisting: false,
        complimentaryUntil: null,
        vouchConfirmed: false,
        invite: false,
        tag: null,
      }
      await call('admin-check-members', { id, source, mapping, options }, owner)
      const { counts } = await wait(id, 'checked')
      if (counts.new !== members) throw new Error(JSON.stringify(counts))
      seconds.import = await secondsOf(async () => {
        await call('admin-import-members', { id }, await headersOf('admin@frontcounter.test'))
        await wait(id, 'finished')
      })
    })
  })
  const perSecond = round(members / seconds.import)
  report(
    'import',
    `checked in ${round(seconds.check - seconds.import)} s, imported in ${round(seconds.import)} s, ${perSecond} rows a second, ${round(copied / seconds.import, 3)} of COPY (${round(copied, 1)} s); memory ${round(before)} to ${peak} MB`,
  )
}

async function measureBackup() {
  await server.stop()
  const config = readConfig({ ...environment, NODE_ENV: 'test', BACKUP_KEY: secret })
  const database = await openPostgres(postgres.url)
  const file = join(directory, 'backup.fcb')
  const deps = { config, database, store: openStore(config.media), clock: () => new Date() }
  let seconds = 0
  const peak = await peakMb(process.pid, async () => {
    seconds = await secondsOf(() => writeBackup(deps, file, secret))
  })
  await database.close()
  report('backup', `${round(seconds)} s, ${round(statSync(file).size / 1e6)} MB, memory up to ${peak} MB`)
  await client.query('create database restored')
  const restore = () =>
    runRestoreCommand({ ...config, database: { kind: 'postgres', url: otherUrl } } as typeof config, [file])
  let restored = 0
  const peakOfRestore = await peakMb(process.pid, async () => {
    restored = await secondsOf(restore)
  })
  report('restore', `${round(restored)} s, memory up to ${peakOfRestore} MB`)
}

try {
  const parts = { pages: measurePages, series: measureSeries, import: measureImport, backup: measureBackup }
  for (const [name, measure] of Object.entries(parts)) if (!only || only === name) await measure()
  console.table(results)
} finally {
  http.close()
  await client.end()
  await server.stop()
  await postgres.stop()
}
