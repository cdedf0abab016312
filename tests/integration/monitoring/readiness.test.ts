import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { createLogger } from '#server/http/logger.ts'
import { openJobQueue } from '#server/jobs/jobs.ts'
import { diskState } from '#server/monitoring/disk-space.ts'
import { createReadiness, summarize } from '#server/monitoring/readiness.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'
import { startSmtpServer } from '#tests/support/smtp-server.ts'

const token = 'a-token-for-monitoring'
const bearer = { headers: { Authorization: `Bearer ${token}` } }
const allOk = { database: 'ok', migrations: 'ok', queue: 'ok', mail: 'ok', disk: 'ok' } as const

let server: TestApp
beforeAll(async () => {
  server = await createTestApp({ env: { MONITORING_TOKEN: token } })
  const queue = await openJobQueue(server.database, createLogger('silent'))
  await queue.stop(1_000)
})
afterAll(() => server.close())

/** Without the server's caches. */
const read = (changes: { database?: Partial<Database>; smtpUrl?: string } = {}) =>
  createReadiness({
    config: {
      dataDirectory: '.',
      mail: changes.smtpUrl
        ? { kind: 'smtp', url: changes.smtpUrl, from: 'a@b.test', connections: 1, dkim: null }
        : server.deps.config.mail,
    },
    database: { ...server.database, ...changes.database },
  })()

const failingFor =
  (part: string): Database['read'] =>
  (name, text, values) =>
    text.includes(part) ? Promise.reject(new Error('fails')) : server.database.read(name, text, values)

test('everyone reads the status, operators with the token also one word for each part', async () => {
  const open = await server.request('/readyz')
  expect([open.status, await open.json()]).toEqual([200, { status: 'ready' }])
  const wrong = await server.request('/readyz', { headers: { Authorization: 'Bearer wrong' } })
  expect(await wrong.json()).toEqual({ status: 'ready' })
  const answer = await server.request('/readyz', bearer)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(await answer.json()).toEqual({ status: 'ready', ...allOk })
})

test('without a token in the settings, an empty one opens nothing', async () => {
  const plain = await createTestApp({ database: server.database })
  const answer = await plain.request('/readyz', { headers: { Authorization: 'Bearer ' } })
  expect(await answer.json()).toEqual({ status: 'ready' })
  await plain.close()
})

test('without the database the server is unavailable, and says nothing about the parts in it', async () => {
  const down = () => Promise.reject(new Error('connect ECONNREFUSED'))
  expect(await read({ database: { read: down } })).toEqual({
    status: 'unavailable',
    parts: { ...allOk, database: 'down', migrations: 'unknown', queue: 'unknown' },
  })
})

test('a database that lacks migrations makes it unavailable; one that a later version migrated is only noted', async () => {
  const { db } = server.database
  const shift = (ms: number) => db.execute(sql`update drizzle.__drizzle_migrations set created_at = created_at + ${ms}`)
  await shift(-1)
  expect(await read()).toEqual({ status: 'unavailable', parts: { ...allOk, migrations: 'older' } })
  await shift(2)
  expect(await read()).toEqual({ status: 'degraded', parts: { ...allOk, migrations: 'newer' } })
  await shift(-1)
  expect((await read()).status).toBe('ready')
})

test('queues that no server has looked after for minutes are stalled', async () => {
  const { db } = server.database
  await db.execute(sql`update pgboss.version set cron_on = now() - interval '6 minutes'`)
  expect(await read()).toEqual({ status: 'degraded', parts: { ...allOk, queue: 'stalled' } })
  await db.execute(sql`update pgboss.version set cron_on = now()`)
  expect((await read()).parts.queue).toBe('ok')
})

test('a check that fails is unknown, and the server keeps answering', async () => {
  expect(await read({ database: { read: failingFor('pgboss') } })).toEqual({
    status: 'degraded',
    parts: { ...allOk, queue: 'unknown' },
  })
})

test('a mail server that doesn’t answer is unreachable; it is asked once a minute, and until then the last answer counts', async () => {
  const smtp = await startSmtpServer()
  expect((await read({ smtpUrl: smtp.url })).parts.mail).toBe('ok')
  const mail = { kind: 'smtp' as const, url: smtp.url, from: 'a@b.test', connections: 1, dkim: null }
  const readiness = createReadiness({ config: { dataDirectory: '.', mail }, database: server.database })
  await readiness()
  await smtp.close()
  expect((await readiness()).parts.mail).toBe('ok')
  expect(await read({ smtpUrl: smtp.url })).toEqual({
    status: 'degraded',
    parts: { ...allOk, mail: 'unreachable' },
  })
})

test('little disk space degrades the server before it is full', () => {
  expect([null, 5e9, 1e9 - 1, 1e8 - 1].map(diskState)).toEqual(['ok', 'ok', 'low', 'full'])
  expect(summarize({ ...allOk, disk: 'low' }).status).toBe('degraded')
})
