/**
 * `npm run bench -- reconcile [customers …]`: time and memory of reconciling that many customers on PostgreSQL, compared
 * with only reading the pages of Stripe's list. Each run has its own process. The Stripe sandbox runs in another process,
 * and its response times are included.
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
  if (run.status !== 0) throw new Error(`The process exited with ${run.status}`)
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
    // As in production. Without it, starting takes more memory than reconciling.
    const env = {
      DATABASE_URL: postgres.url,
      STRIPE_PORT: String(stripePort),
      NODE_COMPILE_CACHE: join(directory, 'compiled'),
    }
    runOnce(env)
    const cases: { what: string; prepare: string[]; env?: Record<string, string> }[] = [
      { what: 'baseline: pages alone', prepare: [], env: { BASELINE: '1' } },
      { what: 'none due', prepare: [] },
      { what: 'all due, none differ', prepare: [allDue] },
      { what: 'all due, 1 in 100 differs', prepare: [allDue, someDiffer] },
    ]
    const outcomes: (Outcome & { what: string })[] = []
    for (const { what, prepare, env: more } of cases) {
      for (const statement of prepare) await client.query(statement)
      outcomes.push({ what, ...runOnce({ ...env, ...more }) })
    }
    const baseline = outcomes[0]?.seconds ?? Number.NaN
    console.log(`\n${count} customers`)
    console.table(
      outcomes.map(({ what, seconds, calls, before, peak, due }) => ({
        what,
        seconds: round(seconds, 1),
        'ratio to baseline': round(seconds / baseline, 2),
        'Stripe calls': calls,
        checked: due?.rows,
        changed: due?.changed,
        failed: due?.failed,
        'MB before': mb(before),
        'MB maximum': mb(peak),
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
