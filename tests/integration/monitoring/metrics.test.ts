import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { backups, series, seriesEntry } from '#server/db/schema/index.ts'
import { createLogger } from '#server/http/logger.ts'
import { defineJob, openJobQueue } from '#server/jobs/jobs.ts'
import { monitoringApp } from '#server/monitoring/monitoring.routes.ts'
import { createMetrics } from '#server/monitoring/prometheus.ts'
import { createReadiness } from '#server/monitoring/readiness.ts'
import { buildUser } from '#tests/support/build-user.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'
import { sampleOf } from './samples.ts'

const token = 'a-token-for-monitoring'
const bearer = { headers: { Authorization: `Bearer ${token}` } }

let server: TestApp
beforeAll(async () => {
  server = await createTestApp({ env: { MONITORING_TOKEN: token } })
})
afterAll(() => server.close())

/** Without the cache of the server's own metrics. */
async function freshFigures(database = server.deps.database): Promise<string> {
  const metrics = createMetrics({
    ...server.deps,
    database,
    readReadiness: createReadiness({ ...server.deps, database }),
  })
  const text = await metrics.read()
  metrics.close()
  return text
}

describe('who may read metrics', () => {
  test('without a token, or with a wrong one, the answer is 401 in plain text', async () => {
    for (const headers of [{}, { Authorization: 'Bearer wrong' }, { Authorization: token }]) {
      const answer = await server.request('/metrics', { headers })
      expect(answer.status).toBe(401)
      expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
      expect(await answer.text()).not.toContain('front_counter_')
    }
  })

  test('with the token, they are in the text format of Prometheus and never cached', async () => {
    const answer = await server.request('/metrics', bearer)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  test('without settings, there are none', async () => {
    const plain = await createTestApp({ database: server.database })
    expect((await plain.request('/metrics', bearer)).status).toBe(404)
    await plain.close()
  })

  test('with a port of their own, the main port has none, and the own port asks for the token only if there is one', async () => {
    const env = { MONITORING_TOKEN: token, MONITORING_PORT: '9464' }
    const other = await createTestApp({ database: server.database, env })
    expect((await other.request('/metrics', bearer)).status).toBe(404)
    const readReadiness = createReadiness(other.deps)
    const metrics = createMetrics({ ...other.deps, readReadiness })
    const own = monitoringApp(other.deps.config.monitoring, { metrics, readReadiness })
    expect((await own.request('/metrics')).status).toBe(401)
    expect((await own.request('/metrics', bearer)).status).toBe(200)
    const open = monitoringApp({ ...other.deps.config.monitoring, token: null }, { metrics, readReadiness })
    expect((await open.request('/metrics')).status).toBe(200)
    metrics.close()
    await other.close()
  })
})

describe('requests', () => {
  test('are counted by route pattern: ids, tokens and unknown names never become labels', async () => {
    const { headers } = await buildUser(server)
    await server.request('/functions/v1/check-subscription', { method: 'POST', headers, body: '{}' })
    await server.request('/functions/v1/secret-guess', { method: 'POST', headers, body: '{}' })
    await server.request('/rest/v1/user_roles?select=role', { headers })
    await server.request('/rest/v1/secret-table', { headers })
    await server.request('/downloads/secret-token')
    await server.request('/secret-path/7')
    const text = await (await server.request('/metrics', bearer)).text()
    const count = (route: string, method: string, status: string) =>
      sampleOf(text, 'front_counter_http_requests_total', { route, method, status })
    expect(count('/functions/v1/check-subscription', 'POST', '200')).toBe(1)
    expect(count('/functions/v1/:name', 'POST', '404')).toBe(1)
    expect(count('/rest/v1/user_roles', 'GET', '200')).toBe(1)
    expect(
      sampleOf(text, 'front_counter_http_request_duration_seconds_count', {
        route: '/functions/v1/check-subscription',
      }),
    ).toBe(1)
    expect(text).not.toContain('secret')
  })
})

describe('sign-ins', () => {
  test('are counted by method, refusals by error code', async () => {
    const user = await buildUser(server, { password: 'correct horse 7' })
    const signIn = (password: string) =>
      server.request('/auth/v1/token?grant_type=password', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ email: user.email, password }),
      })
    const read = async (outcome: string) =>
      sampleOf(await (await server.request('/metrics', bearer)).text(), 'front_counter_sign_ins_total', {
        method: 'password',
        outcome,
      }) ?? 0
    const before = { ok: await read('ok'), refused: await read('invalid_credentials') }
    expect((await signIn('correct horse 7')).status).toBe(200)
    expect((await signIn('wrong')).status).toBe(400)
    expect(await read('ok')).toBe(before.ok + 1)
    expect(await read('invalid_credentials')).toBe(before.refused + 1)
  })
})

test('a webhook without a signature counts as refused', async () => {
  await server.request('/webhooks/stripe', { method: 'POST', body: '{}' })
  const text = await (await server.request('/metrics', bearer)).text()
  expect(sampleOf(text, 'front_counter_stripe_webhooks_total', { outcome: 'refused' })).toBe(1)
})

describe('figures of the database', () => {
  test('each queue has its waiting jobs and the age of the oldest; scheduled ones don’t wait yet', async () => {
    const queue = await openJobQueue(server.database, createLogger('silent'))
    const job = defineJob({ name: 'waits', payload: z.object({}), retryLimit: 0, run: async () => {} })
    await queue.work([job])
    await queue.stop(1_000)
    await server.database.db.execute(sql`insert into pgboss.job (name, start_after) values
      ('waits', now() - interval '90 seconds'), ('waits', now() - interval '5 seconds'), ('waits', now() + interval '1 hour')`)
    const text = await freshFigures()
    expect(sampleOf(text, 'front_counter_queue_waiting_jobs', { queue: 'waits' })).toBe(2)
    const age = sampleOf(text, 'front_counter_queue_oldest_job_age_seconds', { queue: 'waits' })
    expect(age).toBeGreaterThanOrEqual(90)
    expect(age).toBeLessThan(150)
  })

  test('steps of series are counted once they are due, with the age of the oldest, unless the series is paused', async () => {
    const { db } = server.database
    const id = randomUUID()
    const dates = { createdAt: new Date(), updatedAt: new Date() }
    await db.insert(series).values({ id, name: 'A', status: 'on', trigger: { kind: 'tried' }, steps: [], ...dates })
    for (const minutes of [-20, -10, 10]) {
      const { id: userId } = await buildUser(server)
      const dueAt = new Date(Date.now() + minutes * 60_000)
      await db.insert(seriesEntry).values({ seriesId: id, userId, enteredAt: new Date(), dueAt })
    }
    const late = await freshFigures()
    expect(sampleOf(late, 'front_counter_series_due')).toBe(2)
    const seconds = sampleOf(late, 'front_counter_series_oldest_due_seconds') ?? 0
    expect(Math.abs(seconds - 1200)).toBeLessThan(60)
    await db.update(series).set({ status: 'paused' })
    expect(sampleOf(await freshFigures(), 'front_counter_series_due')).toBe(0)
    await db.delete(series)
  })

  test('the age of the newest backup is missing until there is one', async () => {
    expect(sampleOf(await freshFigures(), 'front_counter_backup_age_seconds')).toBeNull()
    const startedAt = new Date(server.clock.now.getTime() - 3_600_000)
    const backup = { id: randomUUID(), name: 'one', destination: 'here', origin: 'schedule', startedAt }
    await server.database.db.insert(backups).values({ ...backup, status: 'done' })
    expect(sampleOf(await freshFigures(), 'front_counter_backup_age_seconds')).toBe(3_600)
  })

  test('two scrapes within seconds cost one reading', async () => {
    let statements = 0
    const { database } = server.deps
    const counted = new Proxy(database.db, {
      get(db, name, receiver) {
        if (name === 'execute') statements += 1
        return Reflect.get(db, name, receiver)
      },
    })
    const deps = { ...server.deps, database: { ...database, db: counted } }
    const metrics = createMetrics({ ...deps, readReadiness: createReadiness(deps) })
    await Promise.all([metrics.read(), metrics.read()])
    await metrics.read()
    metrics.close()
    expect(statements).toBe(2)
  })

  test('without the database, the answer says so and has the other figures', async () => {
    const { database } = server.deps
    const down = new Proxy(database.db, {
      get(db, name, receiver) {
        if (name === 'execute') return () => Promise.reject(new Error('connect ECONNREFUSED'))
        return Reflect.get(db, name, receiver)
      },
    })
    const text = await freshFigures({ ...database, db: down })
    expect(sampleOf(text, 'front_counter_database_up')).toBe(0)
    expect(sampleOf(text, 'front_counter_stripe_events_failed')).toBeNull()
    expect(sampleOf(text, 'nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0)
  })

  test.runIf(process.env.DATABASE_URL)('the pool has its connections by state', async () => {
    const text = await freshFigures()
    expect(
      sampleOf(text, 'front_counter_database_pool_connections', { pool: 'requests', state: 'idle' }),
    ).not.toBeNull()
    expect(sampleOf(text, 'front_counter_database_pool_waiting', { pool: 'requests' })).toBe(0)
  })
})
