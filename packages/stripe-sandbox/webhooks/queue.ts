import { createHmac } from 'node:crypto'
import { invalid } from '../http/errors.ts'
import type { Row, Store } from '../store/store.ts'
import type { JsonObject, WebhookEndpoint } from '../types.ts'

export const losses = ['nothing', 'every third', 'everything'] as const

/** Delivery settings from the control page. They survive restarts. */
type DeliverySettings = {
  paused: boolean
  /** Delivers out of order, since Stripe guarantees no order. */
  order: 'in order' | 'shuffled'
  /** Delivers events twice, since Stripe may do so. */
  duplicate: boolean
  /** Lost events stay in the event log and aren't sent again automatically. */
  lose: (typeof losses)[number]
  delayMs: number
}

const standard: DeliverySettings = { delayMs: 0, duplicate: false, lose: 'nothing', order: 'in order', paused: false }

export const readDelivery = (store: Store): DeliverySettings => ({
  ...standard,
  ...(JSON.parse(store.setting('delivery') ?? '{}') as Partial<DeliverySettings>),
})

export const saveDelivery = (store: Store, change: Partial<DeliverySettings>): void =>
  store.saveSetting('delivery', JSON.stringify({ ...readDelivery(store), ...change }))

/**
 * Allows only URLs on this machine, so that the sandbox can't be used to reach other servers. Host names other than
 * localhost are rejected, since they may resolve to any address later.
 * @throws ApiError 400
 */
export function requireLoopback(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined
  const web = url?.protocol === 'http:' || url?.protocol === 'https:'
  const here = url !== undefined && /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/.test(url.hostname)
  if (!url || !web || !here) {
    throw invalid(
      'Invalid URL: the sandbox delivers webhooks to loopback addresses only, such as http://localhost:3000/…',
      'url',
      'url_invalid',
    )
  }
  return url
}

/**
 * The `Stripe-Signature` header for a body.
 * @param sentAt second of this attempt; receivers reject signatures older than five minutes
 */
function signatureHeader(secret: string, body: string, sentAt: number): string {
  const mac = createHmac('sha256', secret).update(`${sentAt}.${body}`).digest('hex')
  return `t=${sentAt},v1=${mac}`
}

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
