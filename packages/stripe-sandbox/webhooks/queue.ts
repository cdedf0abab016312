import type { Row, Store } from '../store/store.ts'
import type { JsonObject, WebhookEndpoint } from '../types.ts'
import { requireLoopback } from './require-loopback.ts'
import { readDelivery } from './settings.ts'
import { signatureHeader } from './signature.ts'

const timeoutMs = 10_000
const pollMs = 500
/** Concurrent attempts per endpoint if deliveries are shuffled. */
const shuffledWorkers = 4
/** Delays after the first, second, … failed attempt. Much shorter than Stripe's, which take days. */
const retryMs = [2_000, 10_000, 60_000, 600_000, 3_600_000]

type Job = { id: number; event: string; endpoint: string; attempts: number }
type Outcome = { status: number | null; error: string | null; ms: number }

export type DeliveryQueue = {
  /** Call when there may be something to send. */
  wake: () => void
  /** Stops sending. A running attempt is aborted and repeated after the next start. */
  stop: () => Promise<void>
}

export type QueueDeps = {
  store: Store
  now: () => number
  log: (message: string, fields?: Record<string, unknown>) => void
}

/** @param underWay deliveries that are being sent */
function nextJob(store: Store, endpoint: string, nowMs: number, underWay: Set<number>): Job | undefined {
  const { order, delayMs } = readDelivery(store)
  const by = order === 'shuffled' ? 'random()' : 'id'
  const row = store.row(
    `select id, event, endpoint, attempts from deliveries
     where endpoint = ? and state = 'pending' and next_at + (case attempts when 0 then ? else 0 end) <= ?
       and id not in (select value from json_each(?))
     order by ${by} limit 1`,
    ...[endpoint, delayMs, nowMs, JSON.stringify([...underWay])],
  )
  return row as Job | undefined
}

/** Whether to lose a first attempt. Counted rather than random, so that runs are reproducible. */
function isLost(store: Store, job: Job): boolean {
  const { lose } = readDelivery(store)
  if (lose === 'nothing' || job.attempts > 0) return false
  return lose === 'everything' || job.id % 3 === 0
}

/** Sends one POST without following redirects, which might leave this machine. */
async function post(url: string, secret: string, body: string, nowMs: number, stopping: AbortSignal): Promise<Outcome> {
  const started = performance.now()
  const took = () => Math.round(performance.now() - started)
  try {
    requireLoopback(url)
    const response = await fetch(url, {
      body,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': signatureHeader(secret, body, Math.floor(nowMs / 1000)),
        'user-agent': 'Stripe/1.0 (sandbox)',
      },
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.any([stopping, AbortSignal.timeout(timeoutMs)]),
    })
    await response.body?.cancel()
    const ok = response.status >= 200 && response.status < 300
    return { error: ok ? null : `responded with ${response.status}`, ms: took(), status: response.status }
  } catch (error) {
    const timedOut = error instanceof Error && error.name === 'TimeoutError'
    return { error: timedOut ? 'no answer within 10 seconds' : 'no connection', ms: took(), status: null }
  }
}

/**
 * Sends queued deliveries: one attempt per endpoint at a time, oldest first, unless the settings differ. The queue is a
 * table, so it survives restarts.
 */
export function startDeliveries({ store, now, log }: QueueDeps): DeliveryQueue {
  const stopping = new AbortController()
  const busy = new Map<string, Promise<void>>()
  let scheduled = false

  function record(job: Job, outcome: Outcome): void {
    const attempts = job.attempts + 1
    const wait = retryMs[attempts - 1]
    const state = outcome.error === null ? 'delivered' : wait === undefined ? 'failed' : 'pending'
    store.run(
      `update deliveries set state = ?, attempts = ?, next_at = ?, last_status = ?, last_error = ?, last_ms = ?,
       delivered_at = ? where id = ?`,
      ...[state, attempts, now() + (wait ?? 0), outcome.status, outcome.error, outcome.ms],
      ...[state === 'delivered' ? now() : null, job.id],
    )
    // The duplicate counts as an attempt, so that it isn't duplicated again.
    if (state === 'delivered' && readDelivery(store).duplicate && job.attempts === 0) {
      store.run(
        'insert into deliveries (event, endpoint, attempts, next_at) values (?, ?, 1, ?)',
        job.event,
        job.endpoint,
        now(),
      )
    }
  }

  async function attempt(job: Job, endpoint: WebhookEndpoint): Promise<void> {
    const row: Row | undefined = store.row('select json from events where id = ?', job.event)
    if (!row) return void store.run('delete from deliveries where id = ?', job.id)
    const open = store.row(`select count(*) as open from deliveries where event = ? and state = 'pending'`, job.event)
    const event = { ...(JSON.parse(String(row.json)) as JsonObject), pending_webhooks: Number(open?.open ?? 0) }
    const secret = String(store.notes(endpoint.id).secret ?? '')
    const outcome = await post(endpoint.url, secret, JSON.stringify(event, null, 2), now(), stopping.signal)
    if (stopping.signal.aborted) return
    record(job, outcome)
    if (outcome.error !== null)
      log('a webhook was not accepted', { attempt: job.attempts + 1, error: outcome.error, event: job.event })
  }

  async function sendAll(endpoint: WebhookEndpoint, underWay: Set<number>): Promise<void> {
    for (;;) {
      if (stopping.signal.aborted || readDelivery(store).paused) return
      const current = store.find<WebhookEndpoint>('webhook_endpoint', endpoint.id)
      const job = current?.status === 'enabled' ? nextJob(store, endpoint.id, now(), underWay) : undefined
      if (!job || !current) return
      if (isLost(store, job)) {
        store.run(`update deliveries set state = 'lost' where id = ?`, job.id)
        continue
      }
      underWay.add(job.id)
      await attempt(job, current).finally(() => underWay.delete(job.id))
    }
  }

  /** Sends one at a time, or several concurrently if shuffled. */
  async function drain(endpoint: WebhookEndpoint): Promise<void> {
    const workers = readDelivery(store).order === 'shuffled' ? shuffledWorkers : 1
    const underWay = new Set<number>()
    await Promise.all(Array.from({ length: workers }, () => sendAll(endpoint, underWay)))
  }

  function pump(): void {
    scheduled = false
    if (stopping.signal.aborted || readDelivery(store).paused) return
    for (const endpoint of store.select<WebhookEndpoint>('webhook_endpoint', `status = 'enabled'`)) {
      if (busy.has(endpoint.id)) continue
      const run = drain(endpoint)
        .catch((error: unknown) => log('webhook delivery failed', { error: String(error) }))
        .finally(() => busy.delete(endpoint.id))
      busy.set(endpoint.id, run)
    }
  }

  function wake(): void {
    if (scheduled || stopping.signal.aborted) return
    scheduled = true
    setImmediate(pump)
  }

  const timer = setInterval(wake, pollMs)
  timer.unref()
  return {
    wake,
    stop: async () => {
      clearInterval(timer)
      stopping.abort()
      await Promise.all(busy.values())
    },
  }
}
