import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createLogger } from '#server/http/logger.ts'
import { traced } from '#server/monitoring/traced.ts'
import { startTracing } from '#server/monitoring/tracing/start-tracing.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/open-test-database.ts'
import { shortLivedFlags } from '#tests/support/short-lived-flags.ts'
import { type ReceivedSpan, startTraceCollector, type TraceCollector } from '#tests/support/trace-collector.ts'
import { freePort } from '../../../scripts/postgres.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const email = 'ann.private@example.test'
const password = 'a long enough passphrase'

let collector: TraceCollector
let database: TestDatabase
beforeAll(async () => {
  collector = await startTraceCollector()
  database = await openTestDatabase()
})
afterEach(() => {
  collector.bodies.length = 0
  collector.status = 200
})
afterAll(async () => {
  await collector.close()
  await database.close()
})

const attributesOf = (span: ReceivedSpan | undefined) =>
  Object.fromEntries((span?.attributes ?? []).map(({ key, value }) => [key, value.stringValue ?? value.intValue]))

/** Runs `work` on an app with tracing, and returns what the collector got. */
async function record(work: (app: TestApp) => unknown, changes: { ratio?: number; proxy?: boolean } = {}) {
  const config = {
    url: `${collector.url}/v1/traces`,
    headers: { 'x-team': 'letters' },
    serviceName: 'letters',
    ratio: changes.ratio ?? 1,
    continuesTraces: changes.proxy ?? false,
  }
  const tracing = startTracing(config, { logger: createLogger('silent') })
  const app = await createTestApp({ database: { ...database, ...tracing.traceDatabase(database) } })
  await work(app)
  await tracing.close()
  await app.close()
  return collector.spans()
}

const post = (app: TestApp, path: string, body: object, headers: Record<string, string> = {}) =>
  app.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

describe('a request', () => {
  test('is a span by route pattern, with its statements below it by table', async () => {
    const spans = await record((app) => post(app, '/auth/v1/signup', { email, password }))
    const request = spans.find(({ name }) => name === 'POST /auth/v1/signup')
    expect(request).toMatchObject({ kind: 2, status: { code: 0 } })
    expect(request?.parentSpanId).toBeUndefined()
    expect(attributesOf(request)).toEqual({
      'http.request.method': 'POST',
      'http.route': '/auth/v1/signup',
      'http.response.status_code': 200,
    })
    const rest = spans.filter((span) => span !== request)
    expect(new Set(rest.map(({ traceId }) => traceId))).toEqual(new Set([request?.traceId]))
    const insert = rest.find(({ name }) => name === 'INSERT auth.users')
    const transaction = rest.find(({ spanId }) => spanId === insert?.parentSpanId)
    expect(insert).toMatchObject({ kind: 3 })
    expect(transaction).toMatchObject({ name: 'transaction', kind: 1, parentSpanId: request?.spanId })
    expect(Number(insert?.endTimeUnixNano)).toBeGreaterThan(Number(insert?.startTimeUnixNano))
    expect(Math.abs(Number(insert?.endTimeUnixNano) / 1e6 - Date.now())).toBeLessThan(60_000)
  })

  test('never has an address, an id, a path or a password', async () => {
    await record(async (app) => {
      await post(app, '/auth/v1/signup', { email: `b.${email}`, password })
      await post(app, '/auth/v1/token?grant_type=password', { email: `b.${email}`, password: 'a wrong passphrase' })
      await app.request(`/unsubscribe/${encodeURIComponent(email)}`)
      await app.request(`/drops/${encodeURIComponent(email)}`)
      await app.request('/rest/v1/user_roles?user_id=eq.5d2c7b1e-8f57-4f0b-9d5e-0b6a4b5d6c7e')
    })
    const received = collector.bodies.join()
    expect(received).toContain('GET /rest/v1/user_roles')
    expect(received).not.toMatch(/private|example\.test|passphrase|5d2c7b1e/)
  })

  test('continues the trace of a proxy, but not that of a visitor', async () => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
    const ask = (app: TestApp) =>
      app.request('/auth/v1/settings', { headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` } })
    const [visitor] = await record(ask)
    expect(visitor?.traceId).toMatch(/^[0-9a-f]{32}$/)
    expect(visitor?.traceId).not.toBe(traceId)
    collector.bodies.length = 0
    const behindProxy = await record(ask, { proxy: true })
    expect(behindProxy.find(({ kind }) => kind === 2)).toMatchObject({ traceId, parentSpanId: '00f067aa0ba902b7' })
  })

  test('of a monitor isn’t recorded, nor is a statement outside of requests and jobs', async () => {
    const spans = await record(async (app) => {
      await app.request('/healthz')
      await app.deps.database.read('one', 'select 1 as one', [])
    })
    expect(spans).toEqual([])
  })
})

test('a failed operation is marked with the kind of its error, never with its message', async () => {
  const failing = () =>
    traced('job', { name: 'backup', attempt: 2 }, async () => {
      throw new RangeError(`could not reach ${email}`)
    })
  const [span] = await record(() => failing().catch(() => {}))
  expect(span).toMatchObject({ name: 'process backup', kind: 5, status: { code: 2 } })
  expect(attributesOf(span)).toMatchObject({ 'error.type': 'RangeError', 'front_counter.job.attempt': 2 })
  expect(collector.bodies.join()).not.toContain(email)
})

test('a share of the traces is recorded, each with all or none of its spans', async () => {
  const some = await record(
    async () => {
      for (let n = 0; n < 200; n++)
        await traced('job', { name: 'outer', attempt: 1 }, () =>
          traced('stripe', { method: 'GET', path: '/v1/customers/cus_1' }, async () => {}),
        )
    },
    { ratio: 0.5 },
  )
  const outer = some.filter(({ name }) => name === 'process outer')
  expect(outer.length).toBeGreaterThan(50)
  expect(outer.length).toBeLessThan(150)
  expect(some).toHaveLength(outer.length * 2)
  expect(some.find(({ kind }) => kind === 3)?.name).toBe('Stripe GET /v1/customers/:id')
})

describe('the collector', () => {
  const job = () => traced('job', { name: 'backup', attempt: 1 }, async () => {})

  test('gets the headers of the settings', async () => {
    await record(job)
    expect(collector.headers).toMatchObject({ 'x-team': 'letters', 'content-type': 'application/json' })
  })

  test('that is out of order holds nothing up, and gets what waits later', async () => {
    collector.status = 503
    const config = {
      url: `${collector.url}/v1/traces`,
      ...{ headers: {}, serviceName: 'letters', ratio: 1, continuesTraces: false },
    }
    const tracing = startTracing(config, { logger: createLogger('silent') })
    for (let n = 0; n < 600; n++) await job()
    collector.status = 200
    await tracing.close()
    expect(collector.spans()).toHaveLength(600)
  })

  test('that isn’t there keeps no server from stopping', async () => {
    const config = {
      url: 'http://127.0.0.1:9/v1/traces',
      ...{ headers: {}, serviceName: 'letters', ratio: 1, continuesTraces: false },
    }
    const tracing = startTracing(config, { logger: createLogger('silent') })
    await job()
    await tracing.close()
  })
})

/** Prints the server's own modules as they are loaded. */
const listModules = `import { registerHooks } from 'node:module'
import { appendFileSync } from 'node:fs'
registerHooks({ load(url, context, next) {
  if (url.includes('/src/server/')) appendFileSync(process.env.MODULES_FILE, url + '\\n')
  return next(url, context)
} })`

describe('a server', () => {
  const directory = mkdtempSync(join(tmpdir(), 'front-counter-traces-'))
  afterAll(() => rmSync(directory, { recursive: true, force: true }))

  /** Signs someone up, waits for the email, and stops the server. Returns the modules that it loaded. */
  async function run(env: Record<string, string>): Promise<string> {
    const port = await freePort()
    const modulesFile = join(directory, `${port}.txt`)
    const hook = `data:text/javascript,${encodeURIComponent(listModules)}`
    const child = spawn(process.execPath, [...shortLivedFlags, '--import', hook, 'src/server/main.ts'], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...process.env,
        ...{ DATABASE_URL: '', DATA_DIR: join(directory, 'data'), PORT: String(port), LOG_LEVEL: 'error' },
        ...{ MODULES_FILE: modulesFile, ...env },
      },
    })
    const url = `http://127.0.0.1:${port}`
    const isReady = () => fetch(`${url}/healthz`).then(({ ok }) => ok, () => false) // biome-ignore format: one line
    while (!(await isReady())) {
      if (child.exitCode !== null) throw new Error('the server didn’t start')
      await delay(25)
    }
    const headers = { 'content-type': 'application/json' }
    const visitor = `${port}@example.test`
    const answer = await fetch(`${url}/auth/v1/signup`, {
      ...{ method: 'POST', headers },
      body: JSON.stringify({ email: visitor, password }),
    })
    const { access_token: token } = (await answer.json()) as { access_token: string }
    await fetch(`${url}/functions/v1/create-checkout`, {
      ...{ method: 'POST', headers: { ...headers, authorization: `Bearer ${token}` } },
      body: JSON.stringify({ priceId: 'price_pro_monthly' }),
    })
    const inbox = () => fetch(`${url}/sandbox/mail`).then((page) => page.text())
    while (!(await inbox()).includes(visitor)) await delay(50)
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    await exited
    return readFileSync(modulesFile, 'utf8')
  }

  test('loads no part of tracing without an endpoint, and with one sends requests, statements, jobs, email and Stripe', {
    timeout: 120_000,
  }, async () => {
    const modules = await run({})
    expect(modules).toContain('/src/server/monitoring/traced.ts')
    expect(modules).not.toContain('/monitoring/tracing/')
    expect(collector.bodies).toEqual([])

    expect(await run({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })).toContain('/monitoring/tracing/')
    const spans = collector.spans()
    const checkout = spans.find(({ name }) => name === 'POST /functions/v1/create-checkout')
    const stripe = spans.find(({ name }) => name === 'Stripe POST /v1/checkout/sessions')
    expect(stripe?.traceId).toBe(checkout?.traceId)
    const job = spans.find(({ name }) => name === 'process send-email')
    const sent = spans.find(({ name }) => name === 'email account')
    const signUp = spans.find(({ name }) => name === 'POST /auth/v1/signup')
    expect(job?.traceId).toBe(signUp?.traceId)
    expect(sent).toMatchObject({ traceId: job?.traceId, parentSpanId: job?.spanId })
    expect(spans.some(({ name, traceId }) => name.startsWith('UPDATE') && traceId === job?.traceId)).toBe(true)
    expect(collector.bodies.join()).not.toMatch(/example\.test|passphrase|cus_|cs_test/)
  })
})
