import { like } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { rateLimits } from '#server/db/schema/index.ts'
import { createIpRateLimits } from '#server/features/identity/auth/limits/ip-rate-limits.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import type { TestDatabase } from '#tests/support/open-test-database.ts'

const server = openForTests(() => createTestApp({ env: limits('100/300') }))
beforeEach(() => server.database.truncate())

function limits(signUp: string) {
  return { TRUSTED_PROXIES: '1', LIMIT_SIGN_UP: signUp, LIMIT_TOKEN: '150/300' }
}

/** Another process on the same database. `prepared` can be watched or broken. */
const node = (prepared: TestDatabase['prepared'] = server.database.prepared) => {
  const database: TestDatabase = { ...server.database, prepared }
  return createIpRateLimits({ ...server.deps, database })
}

async function grantedOf(nodes: readonly ReturnType<typeof node>[], tries: number, address = '203.0.113.7') {
  const outcomes = await Promise.allSettled(
    Array.from({ length: tries }, (_, index) => nodes[index % nodes.length]?.consume('signUp', address)),
  )
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'over_request_rate_limit' })
  }
  return outcomes.filter((outcome) => outcome.status === 'fulfilled').length
}

function counting() {
  const count = { statements: 0 }
  const prepared: TestDatabase['prepared'] = (...args) => {
    count.statements += 1
    return server.database.prepared(...args)
  }
  return { count, limits: node(prepared) }
}

test('two nodes together allow as much as one, even concurrently', async () => {
  const granted = await grantedOf([node(), node()], 400)
  expect(granted).toBe(100)
  expect(await grantedOf([node(), node()], 20, '198.51.100.9')).toBe(20)
})

test('a restarted node doesn’t restart the count', async () => {
  expect(await grantedOf([node()], 60)).toBe(60)
  expect(await grantedOf([node()], 60)).toBe(40)
})

test('when the window ends the address can try again, on every node', async () => {
  const nodes = [node(), node()]
  await grantedOf(nodes, 400)
  expect(await grantedOf(nodes, 20)).toBe(0)
  server.clock.advance(301_000)
  expect(await grantedOf(nodes, 20)).toBe(20)
})

test('most requests need no statement, and those of a limited address need none at all', async () => {
  const { count, limits } = counting()
  await grantedOf([limits], 100)
  expect(count.statements).toBeLessThanOrEqual(51)
  await grantedOf([limits], 1)
  const before = count.statements
  expect(await grantedOf([limits], 5_000)).toBe(0)
  expect(count.statements).toBe(before)
})

test('refreshes rarely use the shared counter', async () => {
  const { count, limits } = counting()
  for (let tries = 0; tries < 600; tries += 1) await limits.consume('refresh', '203.0.113.7')
  expect(count.statements).toBe(10)
})

test('while the database is unavailable the node counts on its own', async () => {
  const broken = node(() => Promise.reject(new Error('connection lost')))
  expect(await grantedOf([broken], 130)).toBe(100)
  expect(await grantedOf([broken], 5, '198.51.100.9')).toBe(5)
})

test('the counter stores only the address, and a /64 counts as one', async () => {
  await grantedOf([node()], 3, '2001:db8:1:2::1')
  await grantedOf([node()], 3, '2001:db8:1:2:ffff::1')
  const rows = await server.database.db.select().from(rateLimits).where(like(rateLimits.key, 'address:%'))
  expect(rows.map((row) => row.key)).toEqual(['address:signUp:2001:db8:1:2'])
})

test('two complete servers refuse the same address together, whatever headers it forges', async () => {
  const env = limits('6/300')
  const apps = [0, 1].map(() => createTestApp({ env, database: { ...server.database } }))
  const nodes = await Promise.all(apps)
  const statuses: number[] = []
  for (let tries = 0; tries < 10; tries += 1) {
    const answer = await nodes[tries % 2]?.request('/auth/v1/recover', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        // The client controls the header; the proxy appends the real address.
        'X-Forwarded-For': `10.0.0.${tries}, 203.0.113.7`,
      },
      body: JSON.stringify({ email: `reader-${tries}@example.test` }),
    })
    statuses.push(answer?.status ?? 0)
  }
  expect(statuses).toEqual([...Array(6).fill(200), ...Array(4).fill(429)])
})
