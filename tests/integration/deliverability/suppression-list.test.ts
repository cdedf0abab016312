import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { queryRows } from '#server/db/database.ts'
import { suppressions } from '#server/db/schema/index.ts'
import type { Suppression } from '#shared/contracts/publishing/deliverability.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'

let server: TestApp
let admin: TestUser

beforeAll(async () => {
  server = await createTestApp()
})
beforeEach(async () => {
  await server.database.truncate()
  admin = await buildUser(server, { email: 'admin@example.test', admin: true })
})
afterAll(() => server.close())

type Page = { items: Suppression[]; nextCursor: string | null }
const list = async (query: object = {}) => {
  const { status, body } = await call(server, 'admin-suppressions', query, admin.token)
  expect(status).toBe(200)
  return body as unknown as Page
}
const emails = async (query?: object) => (await list(query)).items.map(({ email }) => email)

/** Some with the same timestamp, as after a bulk of reports. */
const fill = (count: number) =>
  server.database.db.insert(suppressions).values(
    Array.from({ length: count }, (_, n) => ({
      email: `reader-${n}@${n % 2 ? 'odd' : 'even'}.test`,
      stream: n % 3 ? 'all' : 'drops',
      reason: n % 3 ? 'hard_bounce' : 'complaint',
      createdAt: new Date(server.clock.now.getTime() + Math.floor(n / 4)),
    })),
  )

test('The list is paginated, newest first', async () => {
  await fill(23)
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const page: Page = await list({ cursor, limit: 5 })
    seen.push(...page.items.map(({ email }) => email))
    cursor = page.nextCursor
  } while (cursor)
  expect(seen).toEqual(Array.from({ length: 23 }, (_, n) => `reader-${22 - n}@${n % 2 ? 'odd' : 'even'}.test`))
  expect((await call(server, 'admin-suppressions', { cursor: 'x' }, admin.token)).status).toBe(400)
})

test('Searching for part of an address uses an index', async () => {
  await fill(20)
  const plan = await server.database.db.transaction(async (tx) => {
    // With twenty rows any planner scans the table, so the test turns the alternatives off.
    for (const way of ['seqscan', 'indexscan', 'indexonlyscan']) {
      await tx.execute(sql.raw(`set local enable_${way} = off`))
    }
    const like = sql`select id from suppressions where email like '%reader-1%'`
    return queryRows<{ 'QUERY PLAN': string }>(tx, sql`explain ${like}`)
  })
  expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain('suppressions_email_trgm_idx')
})

test('The list is filtered by address, reason and stream, and can include lifted suppressions', async () => {
  await fill(9)
  expect(await emails({ search: 'ODD' })).toEqual([7, 5, 3, 1].map((n) => `reader-${n}@odd.test`))
  expect(await emails({ reason: 'complaint' })).toHaveLength(3)
  expect(await emails({ stream: 'all', search: 'reader-1' })).toEqual(['reader-1@odd.test'])
  expect(await emails({ search: 'a%' })).toEqual([])
  const [first] = (await list()).items
  await call(server, 'admin-lift-suppression', { id: first?.id, reason: 'Mended' }, admin.token)
  expect(await emails()).toHaveLength(8)
  expect(await emails({ lifted: true })).toHaveLength(9)
})

test('An address is suppressed manually once, with its account', async () => {
  const reader = await buildUser(server, { email: 'mia@example.test' })
  const wanted = { email: ' Mia@Example.test ', stream: 'news', reason: 'unsubscribed', note: 'By phone' }
  const added = await call(server, 'admin-suppress', wanted, admin.token)
  expect(added).toMatchObject({
    status: 200,
    body: { email: reader.email, userId: reader.id, detail: 'By phone', createdBy: admin.email, liftedAt: null },
  })
  expect(await call(server, 'admin-suppress', wanted, admin.token)).toMatchObject({
    status: 409,
    body: { code: 'already_suppressed' },
  })
  expect((await call(server, 'admin-suppress', { ...wanted, stream: 'drops' }, admin.token)).status).toBe(200)
})

test('A suppression is lifted once, keeps its reason, and can be added again', async () => {
  const wanted = { email: 'mia@example.test', stream: 'all', reason: 'manual' }
  const { body } = await call(server, 'admin-suppress', wanted, admin.token)
  const lift = (reason: string) => call(server, 'admin-lift-suppression', { id: body.id, reason }, admin.token)
  expect((await lift('  ')).status).toBe(400)
  expect(await lift('She called')).toMatchObject({
    status: 200,
    body: { liftReason: 'She called', liftedBy: admin.email },
  })
  expect(await lift('again')).toMatchObject({ status: 409, body: { code: 'suppression_already_removed' } })
  expect((await call(server, 'admin-lift-suppression', { id: 4711, reason: 'x' }, admin.token)).status).toBe(404)
  expect((await call(server, 'admin-suppress', wanted, admin.token)).status).toBe(200)
  expect(await emails({ lifted: true })).toHaveLength(2)
})

test('Only admins can read or change the list', async () => {
  const reader = await buildUser(server)
  for (const name of ['admin-suppressions', 'admin-suppress', 'admin-lift-suppression']) {
    expect((await call(server, name, {}, reader.token)).status).toBe(403)
    expect((await call(server, name, {})).status).toBe(401)
  }
})
