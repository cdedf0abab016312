/**
 * `npm run bench -- start`: time from spawn to the first 200 from /healthz for first and later starts, and memory when
 * idle, in sandbox mode (with the Stripe sandbox and demo accounts) and in production mode. On a busy machine, compare
 * CPU times.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { planKeys } from '#tests/support/default-plans.ts'
import { startPostgres } from '../scripts/postgres.ts'
import { builtServer, serverEnvironment } from '../scripts/prepare.mjs'
import { cpuMicros, residentMb, startProgram } from './support/server.ts'
import { median, round } from './support/statistics.ts'

const later = 5

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

async function measure(name: string, env: Record<string, string>) {
  const directory = mkdtempSync(join(tmpdir(), 'front-counter-bench-'))
  const times: number[] = []
  const processor: number[] = []
  let memory = 0
  let first = 0
  for (let turn = 0; turn <= later; turn += 1) {
    const server = await startProgram(builtServer, { ...serverEnvironment, ...env, DATA_DIR: directory })
    if (turn === 0) first = server.startMs
    else {
      times.push(server.startMs)
      processor.push(cpuMicros(server.pid) / 1000)
    }
    if (turn === later) {
      await new Promise((resolve) => setTimeout(resolve, 10_000))
      memory = residentMb(server.pid)
    }
    await server.stop()
  }
  rmSync(directory, { recursive: true, force: true })
  return {
    'mode and database': name,
    'first start ms': round(first),
    'later start ms (median)': round(median(times)),
    'slowest ms': round(Math.max(...times)),
    'of it processor ms (median)': round(median(processor)),
    'idle MB after 10 s': round(memory),
  }
}

const rows = [await measure('sandbox, PGlite', { DATABASE_URL: '' })]
const onPostgres: [string, Record<string, string>][] = [
  ['sandbox, PostgreSQL', {}],
  ['production, PostgreSQL', production],
]
for (const [name, env] of onPostgres) {
  const postgres = await startPostgres({ durable: true })
  try {
    rows.push(await measure(name, { ...env, DATABASE_URL: postgres.url }))
  } finally {
    await postgres.stop()
  }
}
console.table(rows)
