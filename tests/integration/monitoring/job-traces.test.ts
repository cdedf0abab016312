import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Tx } from '#server/db/database.ts'
import { queryRows } from '#server/db/query-rows.ts'
import { users } from '#server/db/schema/index.ts'
import { createLogger } from '#server/http/logger.ts'
import { createEmailJob, emailJob } from '#server/jobs/email-job.ts'
import { type AnyJob, defineJob, type JobQueue, openJobQueue } from '#server/jobs/jobs.ts'
import { traced } from '#server/monitoring/traced.ts'
import { startTracing, type Tracing } from '#server/monitoring/tracing/start-tracing.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/open-test-database.ts'
import { shortLivedFlags } from '#tests/support/short-lived-flags.ts'
import { type ReceivedSpan, startTraceCollector, type TraceCollector } from '#tests/support/trace-collector.ts'
import { freePort } from '../../../scripts/postgres.ts'

const email = 'ann.private@example.test'
const logger = createLogger('silent')

let collector: TraceCollector
let database: TestDatabase
beforeAll(async () => {
  collector = await startTraceCollector()
  database = await openTestDatabase({ unused: true })
})
afterAll(async () => {
  await database.close()
  await collector.close()
})

/** A queue of its own for each test, so that no test runs jobs of another. */
let queues: JobQueue[]
beforeEach(() => {
  queues = []
})
afterEach(async () => {
  for (const queue of queues) await queue.stop(1_000)
  await database.db.execute(sql`delete from pgboss.job`)
  collector.bodies.length = 0
})

async function openQueue(...early: AnyJob[]): Promise<JobQueue> {
  const queue = await openJobQueue(database, logger, early)
  queues.push(queue)
  return queue
}

function trace({ ratio = 1 } = {}) {
  const url = `${collector.url}/v1/traces`
  return startTracing({ url, headers: {}, serviceName: 'letters', ratio, continuesTraces: false }, { logger })
}

/** As a request does it: the job and its rows commit together. */
const enqueueInRequest = (queue: JobQueue, job: AnyJob, payloads: unknown[], andThen?: (tx: Tx) => Promise<unknown>) =>
  traced('request', { method: 'POST', route: '/test', status: 200 }, () =>
    database.db.transaction(async (tx) => {
      await queue.enqueue(tx, job, ...payloads)
      await andThen?.(tx)
    }),
  )

/** A job that records the payloads it got. Its first `failures` attempts fail. */
function recordingJob(name: string, { failures = 0, payload = z.object({ number: z.number() }) as z.ZodType } = {}) {
  const got: unknown[] = []
  const job: AnyJob = defineJob({
    ...{ name, payload, retryLimit: 2 },
    run: async (payload) => {
      got.push(payload)
      if (got.length <= failures) throw new RangeError(`couldn’t reach ${email}`)
    },
  })
  return { job, got }
}

const storedData = async (name: string) => {
  const stored = await queryRows<{ data: unknown }>(
    database.db,
    sql`select data from pgboss.job where name = ${name} order by data::text nulls first`,
  )
  return stored.map(({ data }) => data)
}
const isCompleted = async (name: string) => {
  const open = await queryRows(
    database.db,
    sql`select id from pgboss.job where name = ${name} and state <> 'completed'`,
  )
  return open.length === 0
}
const completed = (name: string) => expect.poll(() => isCompleted(name), { timeout: 60_000, interval: 20 }).toBe(true)

/** Skips the pause of a failed job. Another job wakes the worker. */
async function retryNow(queue: JobQueue, job: AnyJob) {
  const skipPause = () =>
    queryRows(
      database.db,
      sql`update pgboss.job set start_after = created_on where name = ${job.name} and state = 'retry' returning id`,
    )
  await expect.poll(skipPause, { timeout: 60_000, interval: 20 }).toHaveLength(1)
  await database.db.transaction((tx) => queue.enqueue(tx, job, { number: 0 }))
}

const attributesOf = (span: ReceivedSpan | undefined) =>
  Object.fromEntries((span?.attributes ?? []).map(({ key, value }) => [key, value.stringValue ?? value.intValue]))
const named = (name: string) => collector.spans().filter((span) => span.name === name)
const traceparentOf = ({ traceId, spanId }: ReceivedSpan) => `00-${traceId}-${spanId}-01`
const linkTo = ({ traceId, spanId }: ReceivedSpan) => ({ traceId, spanId })

/** Signs someone up on an app that enqueues the email on `queue`. */
async function signUp(queue: JobQueue, tracing?: Tracing) {
  const app = await createTestApp({
    database: { ...database, ...tracing?.traceDatabase(database) },
    enqueue: queue.enqueue,
  })
  const answer = await app.request('/auth/v1/signup', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'a long enough passphrase' }),
  })
  expect(answer.status).toBe(200)
  await database.db.delete(users).where(eq(users.email, email))
  await app.close()
}

const sendNothing = createEmailJob({
  mailer: { send: async () => {}, close: async () => {} },
  quota: { isLeft: async () => true, count: async () => {} },
  clock: () => new Date(),
})

/** The request, the span that enqueued the email, and the span that sent it, from any of the nodes. */
function expectOneTrace() {
  const [request] = named('POST /auth/v1/signup')
  const [enqueue] = named('enqueue send-email')
  const [job] = named('process send-email')
  if (!request || !enqueue || !job) throw new Error('not received')
  expect(enqueue).toMatchObject({ traceId: request.traceId, kind: 4, status: { code: 0 } })
  expect(attributesOf(enqueue)).toEqual({
    'messaging.system': 'pg-boss',
    'messaging.operation.name': 'enqueue',
    'messaging.operation.type': 'send',
    'messaging.destination.name': 'send-email',
  })
  expect(job).toMatchObject({
    traceId: request.traceId,
    parentSpanId: enqueue.spanId,
    kind: 5,
    links: [linkTo(enqueue)],
  })
  expect(attributesOf(job)).toEqual({
    'messaging.system': 'pg-boss',
    'messaging.operation.name': 'process',
    'messaging.operation.type': 'process',
    'messaging.destination.name': 'send-email',
    'front_counter.job.attempt': 1,
  })
  expect(named('email account')).toMatchObject([{ traceId: request.traceId, parentSpanId: job.spanId }])
  expect(collector.bodies.join()).not.toContain('private')
}

describe('a job', () => {
  test('that a request enqueues is part of its trace, on another node of the database too', async () => {
    const tracing = trace()
    await signUp(await openQueue(sendNothing), tracing)
    const other = await openQueue()
    await other.work([sendNothing])
    await completed(emailJob.name)
    await tracing.close()
    expectOneTrace()
  })

  test('several of which are enqueued at once are children of one span, which counts them', async () => {
    const { job } = recordingJob('enqueued-together')
    const queue = await openQueue()
    await queue.work([job])
    const tracing = trace()
    await enqueueInRequest(queue, job, [{ number: 1 }, { number: 2 }])
    await completed(job.name)
    await tracing.close()
    const [enqueue] = named('enqueue enqueued-together')
    expect(attributesOf(enqueue)).toMatchObject({ 'messaging.batch.message_count': 2 })
    const jobs = named('process enqueued-together')
    expect(jobs.map(({ parentSpanId }) => parentSpanId)).toEqual([enqueue?.spanId, enqueue?.spanId])
  })

  test('that fails is marked on the span of its attempt, in the same trace as the next', async () => {
    const { job, got } = recordingJob('fails-once', { failures: 1 })
    const queue = await openQueue()
    await queue.work([job])
    const tracing = trace()
    await enqueueInRequest(queue, job, [{ number: 1 }])
    await retryNow(queue, job)
    await completed(job.name)
    await tracing.close()
    const [enqueue] = named('enqueue fails-once')
    const attempts = named('process fails-once').filter(({ traceId }) => traceId === enqueue?.traceId)
    expect(attempts).toMatchObject([
      { traceId: enqueue?.traceId, parentSpanId: enqueue?.spanId, status: { code: 2 } },
      { traceId: enqueue?.traceId, parentSpanId: enqueue?.spanId, status: { code: 0 } },
    ])
    expect(attributesOf(attempts[0])).toMatchObject({ 'error.type': 'RangeError', 'front_counter.job.attempt': 1 })
    expect(attributesOf(attempts[1])).toMatchObject({ 'front_counter.job.attempt': 2 })
    expect(got.filter((payload) => (payload as { number: number }).number === 1)).toHaveLength(2)
    expect(collector.bodies.join()).not.toContain(email)
  })

  test('that starts more than a minute later is a trace of its own, with a link', async () => {
    const { job } = recordingJob('starts-later')
    const queue = await openQueue(job)
    const tracing = trace()
    await enqueueInRequest(queue, job, [{ number: 1 }])
    await database.db.execute(
      sql`update pgboss.job set created_on = created_on - interval '61 seconds' where name = ${job.name}`,
    )
    await queue.work([job])
    await completed(job.name)
    await tracing.close()
    const [enqueue] = named('enqueue starts-later')
    const [later] = named('process starts-later')
    if (!enqueue || !later) throw new Error('not received')
    expect(later.traceId).not.toBe(enqueue.traceId)
    expect(later.parentSpanId).toBeUndefined()
    expect(later.links).toEqual([linkTo(enqueue)])
  })

  test.for([
    ['an earlier version enqueued', sql`data - 'traceparent'`],
    ['carries something else', sql`data || '{"traceparent": "00-x-y-01"}'`],
    ['carries a number', sql`data || '{"traceparent": 7}'`],
  ] as const)('that %s is a trace of its own', async ([reason, data]) => {
    const { job, got } = recordingJob(`own-trace-${reason.replaceAll(' ', '-')}`)
    const queue = await openQueue()
    await queue.work([job])
    const tracing = trace()
    await enqueueInRequest(queue, job, [{ number: 1 }], (tx) =>
      tx.execute(sql`update pgboss.job set data = ${data} where name = ${job.name}`),
    )
    await completed(job.name)
    await tracing.close()
    const [request] = named('POST /test')
    const [own] = named(`process ${job.name}`)
    expect(own?.traceId).toMatch(/^[0-9a-f]{32}$/)
    expect(own?.traceId).not.toBe(request?.traceId)
    expect(own?.links).toBeUndefined()
    expect(got).toEqual([{ number: 1 }])
  })

  test('of a trace that isn’t recorded isn’t recorded either', async () => {
    const { job, got } = recordingJob('not-recorded')
    const queue = await openQueue(job)
    const unrecorded = trace({ ratio: 0 })
    await enqueueInRequest(queue, job, [{ number: 1 }])
    await unrecorded.close()
    expect(await storedData(job.name)).toEqual([{ number: 1, traceparent: expect.stringMatching(/-00$/) }])
    const tracing = trace()
    await queue.work([job])
    await completed(job.name)
    await tracing.close()
    expect(got).toEqual([{ number: 1 }])
    expect(collector.spans()).toEqual([])
  })
})

test('log lines of a request and of its job have the ids of their spans, and none without an endpoint', async () => {
  const lines: { msg: string }[] = []
  const write = (text: string) => {
    const line = JSON.parse(text) as { msg: string }
    if (line.msg === 'request' || line.msg === 'job failed') lines.push(line)
  }
  const recording = createLogger('debug', { write })
  const { job } = recordingJob('fails-with-log', { failures: 1 })
  const queue = await openJobQueue(database, recording)
  queues.push(queue)
  await queue.work([job])
  const app = await createTestApp({ database, logger: recording })

  await app.request('/auth/v1/settings')
  expect(lines).toMatchObject([{ msg: 'request' }])
  expect(lines[0]).not.toHaveProperty('trace_id')
  lines.length = 0

  const tracing = trace()
  await app.request('/auth/v1/settings')
  await enqueueInRequest(queue, job, [{ number: 1 }])
  await retryNow(queue, job)
  await completed(job.name)
  await tracing.close()
  await app.close()
  const [request] = named('GET /auth/v1/settings')
  const failed = named(`process ${job.name}`).find(({ status }) => status.code === 2)
  expect(lines).toMatchObject([
    { msg: 'request', trace_id: request?.traceId, span_id: request?.spanId },
    { msg: 'job failed', trace_id: failed?.traceId, span_id: failed?.spanId },
  ])
})

describe('a stored job', () => {
  test('has the trace context next to its payload', async () => {
    const { job } = recordingJob('stored-with-context')
    const queue = await openQueue(job)
    const tracing = trace()
    await enqueueInRequest(queue, job, [{ number: 1 }])
    await tracing.close()
    const [enqueue] = named('enqueue stored-with-context')
    expect(await storedData(job.name)).toEqual([{ number: 1, traceparent: enqueue && traceparentOf(enqueue) }])
  })

  test('is its payload alone if that isn’t an object, if nothing is traced, and without an endpoint', async () => {
    const { job } = recordingJob('stored-alone', { payload: z.unknown() })
    const queue = await openQueue(job)
    const tracing = trace()
    await enqueueInRequest(queue, job, [null, [1]])
    await database.db.transaction((tx) => queue.enqueue(tx, job, { number: 2 }))
    await tracing.close()
    await enqueueInRequest(queue, job, [{ number: 3 }])
    expect(await storedData(job.name)).toEqual([null, [1], { number: 2 }, { number: 3 }])
    expect(named('enqueue stored-alone')).toHaveLength(1)

    await signUp(queue)
    const [sent] = await storedData(emailJob.name).then((all) => all.slice(-1))
    expect(sent).toMatchObject({ to: email })
    expect(sent).not.toHaveProperty('traceparent')
  })

  test('with a context runs on a server without an endpoint, which passes on the payload alone', async () => {
    const { job, got } = recordingJob('runs-without-endpoint', { payload: z.strictObject({ number: z.number() }) })
    const queue = await openQueue(job)
    const tracing = trace()
    await enqueueInRequest(queue, job, [{ number: 1 }])
    await tracing.close()
    await queue.work([job])
    await completed(job.name)
    expect(got).toEqual([{ number: 1 }])
  })

  test('with a key is the same job, whichever request enqueues it', async () => {
    const { job } = recordingJob('same-key')
    const keyed: AnyJob = { ...job, keyOf: (payload) => `number ${(payload as { number: number }).number}` }
    const queue = await openQueue(keyed)
    const tracing = trace()
    await enqueueInRequest(queue, keyed, [{ number: 1 }])
    await enqueueInRequest(queue, keyed, [{ number: 1 }, { number: 2 }])
    await tracing.close()
    const stored = await queryRows(
      database.db,
      sql`select singleton_key as key, data -> 'number' as number from pgboss.job where name = ${job.name} order by 1`,
    )
    expect(stored).toEqual([
      { key: 'number 1', number: 1 },
      { key: 'number 2', number: 2 },
    ])
  })
})

describe.skipIf(!process.env.DATABASE_URL)('two processes', () => {
  const directory = mkdtempSync(join(tmpdir(), 'front-counter-job-traces-'))
  afterAll(() => rmSync(directory, { recursive: true, force: true }))

  test('make one trace of a sign-up here and its email sent by a server there', { timeout: 120_000 }, async () => {
    const tracing = trace()
    await signUp(await openQueue(sendNothing), tracing)
    await tracing.close()
    const port = await freePort()
    const server = spawn(process.execPath, [...shortLivedFlags, 'src/server/main.ts'], {
      cwd: fileURLToPath(new URL('../../..', import.meta.url)),
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...process.env,
        ...{ DATABASE_URL: database.url, DATA_DIR: directory, PORT: String(port), LOG_LEVEL: 'error' },
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      },
    })
    const exited = once(server, 'exit')
    await expect.poll(() => named('process send-email').length, { timeout: 60_000, interval: 50 }).toBeGreaterThan(0)
    server.kill('SIGTERM')
    await exited
    expectOneTrace()
  })
})
