/**
 * `npm run bench -- webhooks`: signed webhook events per second over HTTP, 20 in parallel, with default durability. The
 * baseline sends the writes of one event again with the bare driver, in alternating rounds. Two kinds of events:
 *
 * - recorded: the signature is verified and the event is stored; it requires no sync;
 * - processed: the customer is also synced from Stripe, by a job, and nothing new is found. Its baseline writes the row.
 *   Counted until the last job is done. The Stripe sandbox runs in another process, behind a cache of its responses.
 *
 * Exits with 1 if a ratio falls below its floor.
 */
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import Stripe from 'stripe'
import { processRecordedEvents, recordEvents } from '#server/features/billing/subscriptions/webhooks/process-event.ts'
import { referenceOf } from '#server/features/billing/subscriptions/webhooks/webhook-events.ts'
import { startPostgres } from '../scripts/postgres.ts'
import { addSubscribers, type Subscriber } from './support/add-subscribers.ts'
import { benchConfig, openBillingDeps } from './support/billing-deps.ts'
import { createClient, runConcurrently } from './support/http-client.ts'
import { recordWrites, replay } from './support/recorded-writes.ts'
import { cpuMicros, type Running, startProgram } from './support/server.ts'
import { median, quantile, round } from './support/statistics.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const seconds = Number(process.env.BENCH_SECONDS ?? 8)
const customers = 500
const workers = 20
const floors = [0.12, 0.8]
/** Sync sequence numbers start here, so that they differ from all other values of the recorded statements. */
const firstSequence = 7_000_000_000

const running: Running[] = []
const postgres = await startPostgres({ durable: true })
const start = async (...args: Parameters<typeof startProgram>) => {
  const program = await startProgram(...args)
  running.push(program)
  return program
}

let drawn = 0
const eventOf = (type: string, { customer }: Subscriber) => {
  drawn += 1
  return {
    id: `evt_bench${drawn}`,
    object: 'event',
    api_version: null,
    created: Math.floor(Date.now() / 1000),
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
    data: { object: { id: `in_bench${drawn}`, object: 'invoice', customer, total: 1000 } },
  }
}

/** The writes of one event and its job, and the values to replace for another event and subscriber. */
async function record(type: string, stripePort: number, subscriber: Subscriber) {
  const { deps, close } = await openBillingDeps(postgres.url, stripePort)
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  try {
    await client.query(`update counters set value = $1 where name = 'billing_sync_seq'`, [firstSequence])
    // Another value than the sync finds, about which nobody is notified.
    await client.query('update subscription_state set card_expires_at = null where user_id = $1', [subscriber.userId])
    const event = eventOf(type, subscriber)
    const stripeEvent = event as unknown as Stripe.Event
    const statements = await recordWrites(async () => {
      await recordEvents(deps, [stripeEvent])
      await processRecordedEvents(deps, [referenceOf(stripeEvent)])
    })
    return { statements, event: event.id, sequence: firstSequence + 1, subscriber }
  } finally {
    await client.end()
    await close()
  }
}

type Recorded = Awaited<ReturnType<typeof record>>

async function bare(name: string, { statements, event, sequence, subscriber }: Recorded) {
  const clients = Array.from({ length: workers }, () => new pg.Client({ connectionString: postgres.url }))
  await Promise.all(clients.map((client) => client.connect()))
  const { perSecond, times } = await runConcurrently(workers, seconds, async (worker) => {
    const client = clients[worker]
    if (!client) throw new Error('A worker has no connection')
    drawn += 1
    const other = anySubscriber()
    const replacements = new Map<unknown, unknown>([
      [event, `evt_bench${drawn}`],
      [sequence, sequence + drawn],
      [subscriber.customer, other.customer],
      [subscriber.subscription, other.subscription],
      [subscriber.userId, other.userId],
    ])
    await replay(client, name, statements, replacements)
  })
  await Promise.all(clients.map((client) => client.end()))
  return { perSecond, p99: quantile(times, 0.99), cpu: Number.NaN }
}

const client = createClient(workers)
const secret = benchConfig(0).stripe.webhookSecrets[0] ?? ''

async function deliver(server: Running, type: string, subscriber: Subscriber) {
  const event = eventOf(type, subscriber)
  const signature = Stripe.webhooks.generateTestHeaderString({ payload: JSON.stringify(event), secret })
  const headers = { 'stripe-signature': signature }
  const { status, body } = await client.send('POST', `${server.url}/webhooks/stripe`, headers, event)
  if (status !== 200) throw new Error(`The webhook returned ${status}: ${body}`)
}

async function served(type: string, server: Running) {
  const cpuBefore = cpuMicros(server.pid)
  const startedAt = performance.now()
  const { times } = await runConcurrently(workers, seconds, () => deliver(server, type, anySubscriber()))
  await untilProcessed()
  const perSecond = times.length / ((performance.now() - startedAt) / 1000)
  return { perSecond, p99: quantile(times, 0.99), cpu: (cpuMicros(server.pid) - cpuBefore) / times.length }
}

async function untilProcessed() {
  const waiting = new pg.Client({ connectionString: postgres.url })
  await waiting.connect()
  const count = async () =>
    Number((await waiting.query('select count(*) as left from stripe_event where processed_at is null')).rows[0].left)
  while ((await count()) > 0) await delay(20)
  await waiting.end()
}

const stripe = await start('bench/support/stripe-process.ts', {}, '/sandbox')
const stripePort = Number(new URL(stripe.url).port)
const subscribers = await addSubscribers(postgres.url, stripePort, customers)
const anySubscriber = () => subscribers[Math.floor(Math.random() * customers)] as Subscriber
try {
  const cache = await start('bench/support/caching-stripe-proxy.ts', { STRIPE_PORT: String(stripePort) })
  const env = { DATABASE_URL: postgres.url, STRIPE_PORT: new URL(cache.url).port }
  const server = await start('bench/support/webhook-process.ts', env)
  // Fills the cache with Stripe's responses for all customers.
  for (const subscriber of subscribers) await deliver(server, 'invoice.paid', subscriber)
  await untilProcessed()
  const recorded = await record('invoice.updated', stripePort, anySubscriber())
  const processed = await record('invoice.paid', stripePort, anySubscriber())
  const cases = [
    { what: `baseline: ${recorded.statements.length} statements`, run: () => bare('recorded', recorded) },
    { what: 'recorded', run: () => served('invoice.updated', server) },
    { what: `baseline: ${processed.statements.length} statements`, run: () => bare('processed', processed) },
    { what: 'processed', run: () => served('invoice.paid', server) },
  ]
  const results = cases.map(() => [] as Awaited<ReturnType<typeof bare>>[])
  for (let turn = 0; turn < rounds + 1; turn += 1) {
    for (const [index, { run }] of cases.entries()) {
      const result = await run()
      // The first round warms up.
      if (turn > 0) results[index]?.push(result)
    }
  }
  const rateOf = (index: number) => median((results[index] ?? []).map(({ perSecond }) => perSecond))
  console.table(
    cases.map(({ what }, index) => ({
      what,
      'events/s': round(rateOf(index)),
      'p99 ms': round(median((results[index] ?? []).map(({ p99 }) => p99)), 1),
      'server CPU µs': index % 2 === 0 ? '' : round(median((results[index] ?? []).map(({ cpu }) => cpu))),
      'ratio to baseline': round(rateOf(index) / rateOf(index - (index % 2)), 2),
    })),
  )
  for (const [kind, floor] of floors.entries()) {
    const ratio = rateOf(2 * kind + 1) / rateOf(2 * kind)
    if (ratio >= floor) continue
    console.error(`${cases[2 * kind + 1]?.what}: ${round(ratio, 2)} of the baseline is below the floor of ${floor}`)
    process.exitCode = 1
  }
} finally {
  client.close()
  for (const program of running.reverse()) await program.stop()
  await postgres.stop()
}
