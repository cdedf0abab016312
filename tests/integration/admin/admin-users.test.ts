import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { emailSearchPattern } from '#server/db/email-search.ts'
import { subscriptionState, users } from '#server/db/schema/index.ts'
import type { AdminUsersPage } from '#shared/contracts/operations/admin-users.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { caseCount } from '#tests/support/case-count.ts'
import { call, clientFor } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const minuteMs = 60 * 1000
const dayMs = 24 * 60 * minuteMs

const server = openForTests(() => createTestApp())
let admin: TestUser
beforeEach(async () => {
  await server.database.truncate()
  server.clock.now = new Date('2026-11-21T10:20:30.456Z')
  admin = await buildUser(server, { email: 'admin@example.com', admin: true })
})

const ask = async (query?: object) => {
  const answer = await call(server, 'admin-users', query, admin.token)
  expect(answer.status).toBe(200)
  return answer.body as AdminUsersPage
}
const emails = ({ users: list }: AdminUsersPage) => list.map(({ email }) => email)
const ago = (ms: number) => new Date(server.clock.now.getTime() - ms)

/** Many users, created the given number of microseconds apart. */
const insertUsers = async (count: number, stepMicros: number) =>
  server.database.db.execute(sql`
    insert into auth.users (id, email, created_at, updated_at)
    select gen_random_uuid(), 'many' || n || '@example.org',
      timestamptz '2026-11-01T00:00:00Z' + (n / 3) * ${stepMicros}::bigint * interval '1 microsecond', now()
    from generate_series(1, ${count}::int) n`)

describe('the list', () => {
  test('needs no body, and is sorted newest first, with preferences or null', async () => {
    const preferences = { focusAreas: ['Sales' as const], goals: ['Reduce costs' as const], franchiseType: null }
    await buildUser(server, { email: 'older@example.com', createdAt: ago(dayMs), preferences })
    await buildUser(server, { email: 'oldest@example.com', createdAt: ago(2 * dayMs) })
    const { data, error } = await clientFor(server, admin.token).functions.invoke('admin-users')
    expect(error).toBeNull()
    expect(emails(data)).toEqual(['admin@example.com', 'older@example.com', 'oldest@example.com'])
    expect(data.users[1]).toEqual({
      id: expect.any(String),
      email: 'older@example.com',
      created_at: ago(dayMs).toISOString(),
      preferences: { focus_areas: ['Sales'], ai_level: 'beginner', goals: ['Reduce costs'], franchise_type: null },
    })
    expect(data.users[2].preferences).toBeNull()
    expect(data.next_cursor).toBeNull()
  })

  test('shows everyone exactly once across its pages, even if created in the same microsecond or millisecond', async () => {
    await insertUsers(95, 1)
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page: AdminUsersPage = await ask({ limit: 7, cursor })
      seen.push(...emails(page))
      cursor = page.next_cursor
    } while (cursor)
    expect(seen).toHaveLength(96)
    expect(new Set(seen).size).toBe(96)
  })

  test('rejects a cursor that it did not issue', async () => {
    const forged = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const cursors = [
      'x',
      'null',
      forged(null),
      forged([1, 2]),
      forged(['1', 'no-uuid']),
      forged(['-1', crypto.randomUUID()]),
    ]
    for (const cursor of cursors) {
      const answer = await call(server, 'admin-users', { cursor }, admin.token)
      expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
    }
  })
})

describe('search', () => {
  const found = async (search: string) => emails(await ask({ search })).sort()

  beforeEach(async () => {
    for (const email of ['mia.ortiz@example.com', 'max_p@shop.example', 'maxip@shop.example', '100%@odd.example']) {
      await buildUser(server, { email })
    }
  })

  test('short terms match the beginning, longer ones any part, without regard to case', async () => {
    expect(await found('ma')).toEqual(['max_p@shop.example', 'maxip@shop.example'])
    expect(await found('ip')).toEqual([])
    expect(await found('ORTIZ')).toEqual(['mia.ortiz@example.com'])
    expect(await found('  shop.ex ')).toEqual(['max_p@shop.example', 'maxip@shop.example'])
    expect(await found('')).toHaveLength(5)
  })

  test('wildcards are matched literally', async () => {
    expect(await found('max_p')).toEqual(['max_p@shop.example'])
    expect(await found('100%')).toEqual(['100%@odd.example'])
    expect(await found('%%%')).toEqual([])
    expect(await found('___')).toEqual([])
    expect(await found('\\\\\\')).toEqual([])
  })

  test('a term without three consecutive letters or digits matches the beginning only', () => {
    expect(['a', 'ab', '@@@', 'abc', 'a@b', '@ab', 'ab@'].map(emailSearchPattern)).toEqual([
      'a%',
      'ab%',
      '@@@%',
      '%abc%',
      'a@b%',
      '@ab%',
      'ab@%',
    ])
  })
})

describe('the totals', () => {
  test('count all users, live subscriptions, and exactly the last seven days', async () => {
    const week = 7 * dayMs
    for (const age of [week - 1, week, week + 1, week - 25 * minuteMs, week - 50 * minuteMs, 3 * dayMs, 90 * dayMs]) {
      await buildUser(server, { createdAt: ago(age) })
    }
    await buildUser(server, { subscription: 'active', createdAt: ago(60 * dayMs) })
    await buildUser(server, { subscription: 'past_due', createdAt: ago(60 * dayMs) })
    await buildUser(server, { subscription: 'canceled', createdAt: ago(60 * dayMs) })
    const { totals } = await ask({ limit: 1 })
    // The admin, the two just inside the limit, the two of the first hours and the one from three days ago.
    expect(totals).toEqual({ total_users: 11, new_this_week: 6, active_subscriptions: 2 })
  })

  test('decrease when accounts and subscriptions end', async () => {
    const user = await buildUser(server, { subscription: 'active' })
    expect((await ask()).totals).toEqual({ total_users: 2, new_this_week: 2, active_subscriptions: 1 })
    await server.database.db.update(subscriptionState).set({ status: 'canceled' })
    expect((await ask()).totals.active_subscriptions).toBe(0)
    await server.database.db.delete(users).where(sql`${users.id} = ${user.id}`)
    expect((await ask()).totals).toEqual({ total_users: 1, new_this_week: 1, active_subscriptions: 0 })
  })

  test('stay correct when one statement writes many subscriptions', async () => {
    const { db } = server.database
    const live = async () => (await ask()).totals.active_subscriptions
    const copyAll = sql`
      insert into subscription_state (user_id, stripe_subscription_id, status, product_id, price_id, sync_seq, synced_at)
      select id, 'sub_' || id, case when email like '%1@%' then 'canceled' else 'trialing' end, 'prod_pro_monthly',
        'price_pro_monthly', 1, now() from auth.users
      on conflict (user_id) do update set status = 'active'`
    await insertUsers(10, 1_000_000)
    await db.execute(copyAll)
    expect(await live()).toBe(10)
    // The same rows as updates, and one of them as an insert.
    await db.execute(sql`delete from subscription_state where user_id = ${admin.id}`)
    await db.execute(copyAll)
    expect(await live()).toBe(11)
    await db.execute(sql`update subscription_state set status = case when user_id = ${admin.id} then 'past_due'
      when status = 'active' then 'canceled' else 'active' end`)
    expect(await live()).toBe(1)
    await db.execute(sql`update subscription_state set price_id = 'price_team_monthly'`)
    expect(await live()).toBe(1)
    await db.execute(sql`delete from subscription_state where status = 'past_due' or status = 'canceled'`)
    expect(await live()).toBe(0)
  })

  test('always match a full count', async () => {
    await insertUsers(200, 20_111_000_123)
    for (let step = 0; step < 12; step += 1) {
      server.clock.advance(17 * minuteMs)
      const [expected] = (
        (await server.database.db.execute(
          sql`select count(*)::int as n from auth.users where created_at >= ${ago(7 * dayMs).toISOString()}::timestamptz`,
        )) as unknown as { rows: { n: number }[] }
      ).rows
      const { readTotals } = await import('#server/features/operations/overview/read-totals.ts')
      const totals = await readTotals(server.database.db, server.clock.now)
      expect(totals).toMatchObject({ new_this_week: expected?.n, total_users: 201 })
    }
  })
})

test('only an admin sees the list: 401 signed out, 403 with the specification’s message for everyone else', async () => {
  expect(await call(server, 'admin-users')).toMatchObject({ status: 401, body: { error: 'Not authenticated' } })
  const subscriber = await buildUser(server, { subscription: 'active' })
  expect(await call(server, 'admin-users', {}, subscriber.token)).toMatchObject({
    status: 403,
    body: { error: 'Access denied. Admin privileges required.', code: 'not_admin' },
  })
})

test('no query causes a server error', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 250 })
  const odd = fc.oneof(text, fc.jsonValue(), fc.constantFrom('\u0000', '\ud800', '%', '\\', 'a'.repeat(200)))
  await fc.assert(
    fc.asyncProperty(fc.record({ search: odd, cursor: odd, limit: odd }, { requiredKeys: [] }), async (query) => {
      const { status } = await call(server, 'admin-users', query, admin.token)
      expect(status === 200 || status === 400).toBe(true)
    }),
    { numRuns: caseCount(25, 80) },
  )
})
