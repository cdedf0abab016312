import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Database } from '#server/db/database.ts'
import type { Logger } from '#server/http/logger.ts'
import { cacheFor } from './cache-for.ts'
import { readFreeDiskBytes } from './disk-space.ts'
import { onEvent } from './events.ts'
import { readFigures } from './read-figures.ts'
import type { Readiness } from './readiness.ts'
import { within } from './within.ts'

export type Metrics = {
  contentType: string
  /** In the text format of Prometheus. Never rejects. */
  read(): Promise<string>
  close(): void
}

type MetricsDeps = {
  config: { dataDirectory: string; backup: { isScheduled: boolean } }
  database: Pick<Database, 'db' | 'pools'>
  logger: Logger
  clock: () => Date
  readReadiness: () => Promise<Readiness>
}

const figuresTtlMs = 5_000
const figuresTimeoutMs = 5_000
const latencyBuckets = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** Collects what the server reports, and reads the figures of the database when they are asked for. */
export function createMetrics({ config, database, logger, clock, readReadiness }: MetricsDeps): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const gauge = <Label extends string = never>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Gauge({ name: `front_counter_${name}`, help, labelNames, registers })
  const counter = <Label extends string = never>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Counter({ name: `front_counter_${name}`, help, labelNames, registers })

  const requests = counter('http_requests_total', 'Requests by route pattern', ['route', 'method', 'status'])
  const durations = new Histogram({
    name: 'front_counter_http_request_duration_seconds',
    help: 'Time until the response began, by route pattern',
    labelNames: ['route'],
    buckets: latencyBuckets,
    registers,
  })
  const signIns = counter('sign_ins_total', 'Sign-ins, and refusals by error code', ['method', 'outcome'])
  const webhooks = counter('stripe_webhooks_total', 'Webhooks from Stripe', ['outcome'])
  const differences = counter('stripe_differences_total', 'Differences from Stripe that reconciliation corrected')
  const failures = counter('stripe_reconciliation_failures_total', 'Customers and events that reconciliation failed on')
  const deliveries = counter('deliveries_total', 'Attempts to send newsletter email', ['outcome'])

  const stops = [
    onEvent('request', ({ route, method, status, seconds }) => {
      requests.inc({ route, method, status })
      durations.observe({ route }, seconds)
    }),
    onEvent('signIn', (labels) => signIns.inc(labels)),
    onEvent('stripeWebhook', (labels) => webhooks.inc(labels)),
    onEvent('stripeReconciliation', (found) => {
      differences.inc(found.differences)
      failures.inc(found.failures)
    }),
    onEvent('delivery', (labels) => deliveries.inc(labels)),
  ]

  const up = gauge('database_up', '1 if the database answered')
  const queueWaiting = gauge('queue_waiting_jobs', 'Jobs that could run now', ['queue'])
  const queueAge = gauge('queue_oldest_job_age_seconds', 'How long the oldest waiting job has waited', ['queue'])
  const totals = {
    deliveriesWaiting: gauge('deliveries_waiting', 'Newsletter email that is due and waits to be sent'),
    mailingsStuck: gauge('mailings_stuck', 'Mailings that paused automatically or weren’t sent'),
    seriesDue: gauge('series_due', 'Members whose next step of a series is due, up to 1000 for each series'),
    seriesDueSeconds: gauge('series_oldest_due_seconds', 'How long the oldest of these steps has been due'),
    stripeEventsFailed: gauge('stripe_events_failed', 'Events from Stripe that wait for another try, up to 1000'),
    isEmailOnHold: gauge('email_on_hold', '1 while automatic email is on hold after a restore'),
    newestBackupAt: gauge('backup_age_seconds', 'Age of the newest backup; missing if there is none'),
    newestDropAt: gauge('drop_age_seconds', 'Time since the newest drop was published; missing if there is none'),
  }
  gauge('backups_scheduled', '1 if daily backups are set up').set(config.backup.isScheduled ? 1 : 0)
  const pool = gauge('database_pool_connections', 'Connections of each pool', ['pool', 'state'])
  const poolWaiting = gauge('database_pool_waiting', 'Queries that wait for a connection', ['pool'])
  const partReady = gauge('part_ready', 'Parts of /readyz: 1 if the part is ok', ['part'])
  const disk = gauge('disk_free_bytes', 'Free space where local files are')

  const readCached = cacheFor(figuresTtlMs, () => within(figuresTimeoutMs, readFigures(database)))

  async function setDatabaseFigures() {
    const figures = await readCached().catch((error: unknown) => {
      logger.warn({ err: error }, 'figures for metrics could not be read')
      return null
    })
    up.set(figures ? 1 : 0)
    queueWaiting.reset()
    queueAge.reset()
    for (const { name, waiting, oldestSeconds } of figures?.queues ?? []) {
      queueWaiting.set({ queue: name }, waiting)
      queueAge.set({ queue: name }, oldestSeconds)
    }
    const secondsSince = (at: Date) => Math.max(0, (clock().getTime() - at.getTime()) / 1000)
    for (const [name, total] of Object.entries(totals)) {
      const value = figures?.[name as keyof typeof totals] ?? null
      if (value === null) total.remove()
      else total.set(value instanceof Date ? secondsSince(value) : Number(value))
    }
  }

  async function setLocalFigures() {
    for (const { name, open, idle, waiting } of database.pools()) {
      pool.set({ pool: name, state: 'busy' }, open - idle)
      pool.set({ pool: name, state: 'idle' }, idle)
      poolWaiting.set({ pool: name }, waiting)
    }
    const { parts } = await readReadiness()
    for (const [part, state] of Object.entries(parts)) partReady.set({ part }, state === 'ok' ? 1 : 0)
    const free = await readFreeDiskBytes(config.dataDirectory).catch(() => null)
    if (free === null) disk.remove()
    else disk.set(free)
  }

  return {
    contentType: registry.contentType,
    async read() {
      await Promise.all([setDatabaseFigures(), setLocalFigures()])
      return registry.metrics()
    },
    close() {
      for (const stop of stops) stop()
    },
  }
}
