/**
 * `npm run bench -- reconcile [customers …]`: reconciliation of so many subscribers on PostgreSQL, each run in a process
 * of its own, beside the floor: the same pages of Stripe's list read with the SDK, and nothing done with them. Stripe is
 * the sandbox in another process; its time is part of every row.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { startPostgres } from '../scripts/postgres.ts'
import { addManySubscribers } from './support/many-subscribers.ts'
import { startProgram } from './support/server.ts'
import { round } from './support/statistics.ts'

const sizes = process.argv.slice(2).map(Number)
const program = fileURLToPath(new URL('support/reconcile-process.ts', import.meta.url))
const mb = (bytes: number) => round(bytes / 1024 / 1024)

type Outcome = {
  seconds: number
  calls: number
  before: number
  peak: number
  due?: { rows: number; changed: number; failed: number }
}

function runOnce(env: Record<string, string>): Outcome {
  const flags = ['--disable-warning=ExperimentalWarning', program]
  const run = spawnSync(process.execPath, flags, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  })
  if (run.status !== 0) throw new Error(`the run ended with ${run.status}`)
  return JSON.parse(run.stdout) as Outcome
}

const allDue = `update subscription_state set synced_at = now() - interval '25 hours'`
const someDiffer = `update subscription_state set current_period_end = current_period_end - interval '1 month'
  where stripe_subscription_id like '%00'`

async function measure(count: number) {
  const postgres = await startPostgres({ durable: true })
  const directory = mkdtempSync(join(tmpdir(), 'front-counter-bench-'))
  const stripeFile = join(directory, 'stripe.sqlite')
  const stripe = await startProgram('bench/support/stripe-process.ts', { STRIPE_FILE: stripeFile }, '/sandbox')
  const client = new pg.Client({ connectionString: postgres.url })
  try {
    const stripePort = Number(new URL(stripe.url).port)
    await addManySubscribers({ databaseUrl: postgres.url, stripePort, stripeFile, count })
    await client.connect()
    // Compiled code is kept as in production: without that, starting takes more memory than the run.
    const env = {
      DATABASE_URL: postgres.url,
      STRIPE_PORT: String(stripePort),
      NODE_COMPILE_CACHE: join(directory, 'compiled'),
    }
    runOnce(env)
    const cases: { what: string; prepare: string[]; env?: Record<string, string> }[] = [
      { what: 'floor: the pages alone', prepare: [], env: { FLOOR: '1' } },
      { what: 'nobody due', prepare: [] },
      { what: 'everybody due, nobody differs', prepare: [allDue] },
      { what: 'everybody due, 1 of 100 differs', prepare: [allDue, someDiffer] },
    ]
    const outcomes: (Outcome & { what: string })[] = []
    for (const { what, prepare, env: more } of cases) {
      for (const statement of prepare) await client.query(statement)
      outcomes.push({ what, ...runOnce({ ...env, ...more }) })
    }
    const floor = outcomes[0]?.seconds ?? Number.NaN
    console.log(`\n${count} customers`)
    console.table(
      outcomes.map(({ what, seconds, calls, before, peak, due }) => ({
        what,
        seconds: round(seconds, 1),
        'times the floor': round(seconds / floor, 2),
        'calls to Stripe': calls,
        'looked at': due?.rows,
        changed: due?.changed,
        failed: due?.failed,
        'MB before': mb(before),
        'MB at most': mb(peak),
      })),
    )
  } finally {
    await client.end()
    await stripe.stop()
    await postgres.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

for (const count of sizes.length > 0 ? sizes : [10_000, 100_000]) await measure(count)
