/**
 * `npm run bench -- start [other checkout]`: time from spawn to the first 200 from /healthz for first and later starts, and
 * memory (RSS) when idle and after minutes of ordinary requests, in sandbox mode (with the Stripe sandbox and demo accounts)
 * and in production mode. A built checkout of another version is measured in turn. On a busy machine, compare CPU times.
 *
 * Exits with 1 if production on PostgreSQL starts slower or takes more memory than its floors allow.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { planKeys } from '#tests/support/default-plans.ts'
import { startPostgres } from '../scripts/postgres.ts'
import { builtServer, serverEnvironment } from '../scripts/prepare.mjs'
import { cpuMicros, type Running, residentMb, startProgram } from './support/server.ts'
import { median, round } from './support/statistics.ts'

const later = 5
const minutes = Number(process.env.BENCH_MINUTES ?? 5)
/** How many times as long as a bare server's start, by processor time, and MB of memory. */
const limits = { start: 8, idle: 180, used: 190 }

/** The variables that production requires. The server contacts neither Stripe nor the mail server before the first sign-up. */
const production = {
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  PUBLIC_URL: 'https://letters.example.test',
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'letters@example.test',
  SECRET_KEY: 'a secret for measuring that is long enough',
  STRIPE_SECRET_KEY: 'sk_live_measuring',
  STRIPE_WEBHOOK_SECRET: 'whsec_measuring',
  ...Object.fromEntries(
    planKeys.flatMap((key) => [
      [`STRIPE_PRODUCT_${key.toUpperCase()}`, `prod_${key}`],
      [`STRIPE_PRICE_${key.toUpperCase()}`, `price_${key}`],
    ]),
  ),
}

/** What a visitor, a feed reader and a monitor ask for, ten times a second. */
const ordinary = ['/', '/drops', '/drops/a-week-of-reviews', '/glossary', '/feed.xml', '/sitemap.xml', '/healthz']

async function requestOrdinaryPages(server: Running) {
  const until = performance.now() + minutes * 60_000
  for (let turn = 0; performance.now() < until; turn += 1) {
    await (await fetch(server.url + ordinary[turn % ordinary.length])).arrayBuffer()
    await delay(100)
  }
}

type Version = { name: string; program: string; checkout?: string }
const versionIn = (checkout: string): Version => {
  const bundle = existsSync(join(checkout, builtServer))
  return { name: 'other', program: bundle ? builtServer : 'src/server/main.ts', checkout }
}
const other = process.argv[2]
const versions: Version[] = [{ name: 'this', program: builtServer }, ...(other ? [versionIn(other)] : [])]

async function measure(mode: string, env: Record<string, string>, { name, program, checkout }: Version) {
  const directory = mkdtempSync(join(tmpdir(), 'front-counter-bench-'))
  const start = () => startProgram(program, { ...serverEnvironment, ...env, DATA_DIR: directory }, '/healthz', checkout)
  const times: number[] = []
  const processor: number[] = []
  const memory = { idle: 0, used: 0 }
  let first = 0
  for (let turn = 0; turn <= later; turn += 1) {
    const server = await start()
    if (turn === 0) first = server.startMs
    else {
      times.push(server.startMs)
      processor.push(cpuMicros(server.pid) / 1000)
    }
    if (turn === later) {
      await delay(10_000)
      memory.idle = residentMb(server.pid)
      await requestOrdinaryPages(server)
      memory.used = residentMb(server.pid)
    }
    await server.stop()
  }
  rmSync(directory, { recursive: true, force: true })
  return {
    'mode and database': mode,
    version: name,
    'first start ms': round(first),
    'later start ms (median)': round(median(times)),
    'slowest ms': round(Math.max(...times)),
    'of it processor ms (median)': round(median(processor)),
    'idle MB after 10 s': round(memory.idle),
    'MB after use': round(memory.used),
  }
}

/** Processor time of a server that only answers /healthz. */
async function bareStart() {
  const times: number[] = []
  for (let turn = 0; turn < later; turn += 1) {
    const server = await startProgram('bench/support/baseline-server.ts', { JWKS_URL: 'http://127.0.0.1:9' })
    times.push(cpuMicros(server.pid) / 1000)
    await server.stop()
  }
  return median(times)
}

type Row = Awaited<ReturnType<typeof measure>>
const rows: Row[] = []
for (const version of versions) rows.push(await measure('sandbox, PGlite', { DATABASE_URL: '' }, version))
const onPostgres: [string, Record<string, string>][] = [
  ['sandbox, PostgreSQL', {}],
  ['production, PostgreSQL', production],
]
for (const [mode, env] of onPostgres) {
  for (const version of versions) {
    const postgres = await startPostgres({ durable: true })
    try {
      rows.push(await measure(mode, { ...env, DATABASE_URL: postgres.url }, version))
    } finally {
      await postgres.stop()
    }
  }
}
console.table(rows)

const bare = await bareStart()
const ours = rows.find((row) => row.version === 'this' && row['mode and database'] === 'production, PostgreSQL')
const measured = {
  start: (ours?.['of it processor ms (median)'] ?? Number.NaN) / bare,
  idle: ours?.['idle MB after 10 s'] ?? Number.NaN,
  used: ours?.['MB after use'] ?? Number.NaN,
}
console.log(
  `Processor time of a bare server's start: ${round(bare)} ms; production takes ${round(measured.start, 1)} times that`,
)
for (const [what, limit] of Object.entries(limits)) {
  if (measured[what as keyof typeof limits] <= limit) continue
  console.error(`${what}: ${round(measured[what as keyof typeof limits], 1)} is above the limit of ${limit}`)
  process.exitCode = 1
}
