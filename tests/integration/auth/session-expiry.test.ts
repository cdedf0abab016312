import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { sessions } from '#server/db/schema/index.ts'
import { sweepExpired } from '#server/features/identity/auth/auth.jobs.ts'
import { buildUser } from '#tests/support/build-user.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { call, officialClient } from './client.ts'

const server = openForTests(() => createTestApp())
beforeEach(() => server.database.truncate())

const hours = 60 * 60_000
const days = 24 * hours

const appWithLimits = (env: Record<string, string>) => createTestApp({ env, database: server.database })

/** Exchanges a refresh token. Returns the next one, or the error code. */
async function refresh(app: TestApp, refreshToken: string) {
  const { data, error } = await officialClient(app).auth.refreshSession({ refresh_token: refreshToken })
  return { next: data.session?.refresh_token ?? '', token: data.session?.access_token ?? '', code: error?.code ?? null }
}

test('without limits a session ends only by signing out', async () => {
  const user = await buildUser(server)
  server.clock.advance(1_000 * days)
  expect((await refresh(server, user.refreshToken)).code).toBeNull()
})

test('an idle session expires, and one in use continues', async () => {
  const app = await appWithLimits({ SESSION_IDLE_DAYS: '1' })
  const resting = await buildUser(app)
  let inUse = (await buildUser(app)).refreshToken
  for (let times = 0; times < 4; times += 1) {
    app.clock.advance(20 * hours)
    const refreshed = await refresh(app, inUse)
    expect(refreshed.code).toBeNull()
    inUse = refreshed.next
  }
  expect((await refresh(app, resting.refreshToken)).code).toBe('session_expired')
  app.clock.advance(25 * hours)
  expect((await refresh(app, inUse)).code).toBe('session_expired')
})

test('a session past its maximum age ends however much it is used, and so does its access token', async () => {
  const app = await appWithLimits({ SESSION_MAX_DAYS: '2' })
  const user = await buildUser(app)
  app.clock.advance(2 * days - hours / 2)
  const last = await refresh(app, user.refreshToken)
  expect((await call(app, '/user', { token: last.token })).status).toBe(200)
  app.clock.advance(hours / 2)
  const refused = await call(app, '/user', { token: last.token })
  expect([refused.status, (await refused.json()) as object]).toEqual([
    403,
    expect.objectContaining({ code: 'session_not_found' }),
  ])
  expect((await refresh(app, last.next)).code).toBe('session_expired')
})

test('a new limit applies to existing sessions', async () => {
  const user = await buildUser(server)
  const app = await appWithLimits({ SESSION_IDLE_DAYS: '30', SESSION_MAX_DAYS: '365' })
  app.clock.now = new Date(server.clock.now.getTime() + 31 * days)
  expect((await refresh(app, user.refreshToken)).code).toBe('session_expired')
})

test('removing a limit lets sessions continue', async () => {
  const app = await appWithLimits({ SESSION_MAX_DAYS: '2' })
  const user = await buildUser(app)
  const { next } = await refresh(app, user.refreshToken)
  const free = await appWithLimits({})
  free.clock.now = new Date(app.clock.now.getTime() + days)
  const freed = await refresh(free, next)
  free.clock.advance(10 * days)
  expect((await refresh(free, freed.next)).code).toBeNull()
})

test('two nodes create one session, and it ends on both', async () => {
  const nodes = await Promise.all([0, 1].map(() => appWithLimits({ SESSION_IDLE_DAYS: '1' })))
  const user = await buildUser(nodes[0] as TestApp)
  const both = await Promise.all(nodes.map((node) => refresh(node, user.refreshToken)))
  expect(both.map(({ code }) => code)).toEqual([null, null])
  expect(new Set(both.map(({ next }) => next)).size).toBe(1)
  for (const node of nodes) node.clock.advance(2 * days)
  const late = await Promise.all(nodes.map((node) => refresh(node, both[0]?.next ?? '')))
  expect(late.map(({ code }) => code)).toEqual(['session_expired', 'session_expired'])
})

test('the sweep deletes sessions of devices that never came back, a month after the limit ended them', async () => {
  const app = await appWithLimits({ SESSION_IDLE_DAYS: '7' })
  const user = await buildUser(app)
  const left = async () => (await server.database.db.select().from(sessions).where(eq(sessions.userId, user.id))).length
  app.clock.advance(36 * days)
  await sweepExpired(app.deps)
  expect(await left()).toBe(1)
  app.clock.advance(2 * days)
  await sweepExpired(app.deps)
  expect(await left()).toBe(0)
})
