import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { tries } from '#server/db/schema/index.ts'
import type { TriedItemReport, TryTotals } from '#shared/contracts/reader/tries.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { addItem, prompt, record, remove, startOver, subscriber } from './support.ts'

const server = openForTests(() => createTestApp())
let readers: TestUser[]

beforeEach(async () => {
  await startOver(server)
  readers = []
})

const totals = async () => {
  const viewer = await subscriber(server)
  return (await call(server, 'read-try', prompt, viewer.token)).body.totals as TryTotals | null
}

async function answer(
  count: number,
  outcome: 'worked' | 'worked-with-changes' | 'did-not-work',
  franchiseType = 'Food & Beverage',
) {
  for (let index = 0; index < count; index++) {
    const reader = await subscriber(server, { preferences: { franchiseType } })
    await record(server, reader, prompt, { outcome, minutesPerWeek: 10 * (index + 1) })
    readers.push(reader)
  }
}

test('Totals are shown once there are five answers and then change only by five', async () => {
  await answer(4, 'worked')
  expect(await totals()).toBeNull()
  await answer(1, 'did-not-work')
  const first = { worked: 4, workedWithChanges: 0, didNotWork: 1 }
  expect(await totals()).toEqual(first)
  await answer(4, 'worked-with-changes')
  expect(await totals()).toEqual(first)
  await answer(1, 'did-not-work')
  expect(await totals()).toEqual({ worked: 4, workedWithChanges: 4, didNotWork: 2 })
})

test('A changed or removed answer never shows alone', async () => {
  await answer(5, 'worked')
  server.clock.advance(1000)
  const before = { worked: 5, workedWithChanges: 0, didNotWork: 0 }
  const [a, b, c, d, e] = readers
  if (!a || !b || !c || !d || !e) throw new Error('five readers')
  await record(server, a, prompt, { outcome: 'did-not-work' })
  await remove(server, b, prompt, server.clock.now)
  await record(server, c, prompt, { outcome: 'did-not-work' })
  server.clock.advance(1000)
  await record(server, c, prompt, { outcome: 'worked' })
  expect(await totals()).toEqual(before)
  // Two answers differ from the totals; three more make five.
  await answer(2, 'worked')
  expect(await totals()).toEqual(before)
  await answer(1, 'worked')
  expect(await totals()).toEqual({ worked: 6, workedWithChanges: 0, didNotWork: 1 })
})

test('A deleted account leaves the totals with the next five changes and nothing else behind', async () => {
  await answer(5, 'worked')
  const [gone] = readers
  if (!gone) throw new Error('a reader')
  const deleted = await call(server, 'delete-account', { email: gone.email }, gone.token)
  expect(deleted.status, JSON.stringify(deleted.body)).toBe(200)
  expect(await server.database.db.select().from(tries).where(eq(tries.userId, gone.id))).toEqual([])
  expect(await totals()).toEqual({ worked: 5, workedWithChanges: 0, didNotWork: 0 })
  await answer(3, 'did-not-work')
  expect(await totals()).toEqual({ worked: 5, workedWithChanges: 0, didNotWork: 0 })
  await answer(1, 'did-not-work')
  expect(await totals()).toEqual({ worked: 4, workedWithChanges: 0, didNotWork: 4 })
})

test('Two nodes that record at the same time count each answer once', async () => {
  await answer(3, 'worked')
  const late = await Promise.all([1, 2, 3, 4].map(() => subscriber(server)))
  await Promise.all(late.map((reader) => record(server, reader, prompt, { outcome: 'did-not-work' })))
  await answer(5, 'worked-with-changes')
  const shown = await totals()
  expect(shown?.worked).toBe(3)
  const counted = shown && shown.worked + shown.workedWithChanges + shown.didNotWork
  // Fewer than five of the twelve wait for the next count.
  expect(counted).toBeGreaterThanOrEqual(8)
  expect(counted).toBeLessThanOrEqual(12)
})

test('The publisher sees groups of five or more, and no way to tell a smaller one', async () => {
  await answer(6, 'worked', 'Food & Beverage')
  await answer(5, 'did-not-work', 'Home Services')
  await answer(3, 'worked', 'Retail')
  await answer(1, 'worked', 'Automotive')
  const admin = await buildUser(server, { admin: true })
  const { body } = await call(server, 'admin-tries', {}, admin.token)
  const [item] = body.items as TriedItemReport[]
  expect(item?.totals).toEqual({ worked: 10, workedWithChanges: 0, didNotWork: 5 })
  // Retail and Automotive are four together, so the smallest larger group joins them.
  expect(item?.breakdown?.trades).toEqual([
    { name: 'Food & Beverage', worked: 6, workedWithChanges: 0, didNotWork: 0 },
    { name: 'Other trades', worked: 4, workedWithChanges: 0, didNotWork: 5 },
  ])
  expect(item?.breakdown?.plans).toEqual([{ name: 'Pro Monthly', worked: 10, workedWithChanges: 0, didNotWork: 5 }])
  expect(item?.breakdown?.minutes?.readers).toBe(15)
  await addItem(server, { kind: 'prompt', id: 'few' })
  const lone = await subscriber(server)
  await record(server, lone, { kind: 'prompt', id: 'few' })
  expect((await call(server, 'admin-tries', {}, admin.token)).body.items).toHaveLength(1)
})
