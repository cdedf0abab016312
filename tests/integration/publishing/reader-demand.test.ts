import { beforeAll, expect, test } from 'vitest'
import type { ReaderDemand } from '#shared/contracts/publishing/reader-demand.ts'
import type { AdminAnswer } from '#shared/contracts/reader/feedback.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { seedFirstDrops } from '#tests/support/seed-first-drops.ts'

const server = openForTests(() => createTestApp())
let reader: TestUser
let owner: TestUser
beforeAll(async () => {
  await seedFirstDrops(server.deps)
  reader = await buildUser(server, { subscription: 'active' })
  owner = await buildUser(server, { role: 'owner' })
})
const search = (query: string, more: object = {}) => call(server, 'search', { query, ...more }, reader.token)
const readDemand = async () => (await call(server, 'admin-reader-demand', {}, owner.token)).body as ReaderDemand

test('counts for the last eight drops which trades, levels and focus areas they have something for', async () => {
  const { drops, groups } = await readDemand()
  expect(drops).toBe(8)
  expect(groups.map(({ title }) => title)).toEqual(['Trades', 'Levels', 'Focus areas'])
  const [trades, levels] = groups
  expect(trades?.items).toContainEqual({ label: 'Retail', drops: 8 })
  const counts = levels?.items.map((item) => item.drops) ?? []
  expect(counts).toEqual(counts.toSorted((a, b) => a - b))
})

test('searches without a result are counted without who searched, but not while typing, and no numbers or addresses', async () => {
  await search('Zamboni  kombucha')
  await search('zamboni kombucha')
  await search('zamboni komb', { isTyping: true })
  await search('jane@example.com')
  await search('zzz 555-0134')
  expect((await readDemand()).searches).toEqual([{ query: 'zamboni kombucha', count: 2 }])
})

test('a case that a member offers is among the answers, and a question in it among the open questions', async () => {
  const parts = {
    tried: 'Closing notes in three car washes.',
    numbers: '9 calls before, 4 after.',
    failed: 'Who reads it on Sunday?',
  }
  expect((await call(server, 'offer-case', { ...parts, mayPublish: true }, reader.token)).status).toBe(200)
  expect((await call(server, 'offer-case', { ...parts, numbers: ' ', mayPublish: true }, reader.token)).status).toBe(
    400,
  )
  const { items } = (await call(server, 'admin-answers', {}, owner.token)).body as { items: AdminAnswer[] }
  expect(items).toMatchObject([{ isCase: true, question: 'A case that may be printed', drop: null }])
  expect(items[0]?.text).toContain('Numbers: 9 calls before, 4 after.')
  expect((await readDemand()).questions).toMatchObject([{ text: 'What failed: Who reads it on Sunday?' }])
})
