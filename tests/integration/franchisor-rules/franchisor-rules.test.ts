import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { franchisorRules, users } from '#server/db/schema/index.ts'
import type { RecordedRule } from '#shared/contracts/reader/franchisor-rules.ts'
import { franchisorRules as answers, ruleTopics } from '#shared/domain/franchisor-rules.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const server = openForTests(() => createTestApp())
let reader: TestUser
beforeEach(async () => {
  await server.database.db.delete(users)
  reader = await buildUser(server, { subscription: 'active' })
})

/** Minutes before now. */
const minutesAgo = (minutes: number) => new Date(server.clock.now.getTime() - minutes * 60_000).toISOString()
const record = (change: Record<string, unknown>, of = reader) => call(server, 'set-franchisor-rule', change, of.token)
const rulesOf = async (of = reader) => {
  const { status, body } = await call(server, 'franchisor-rules', {}, of.token)
  expect(status).toBe(200)
  return (body as { rules: RecordedRule[] }).rules
}
const change = (more: Record<string, unknown> = {}) => ({
  topic: 'allowed-tools',
  rule: 'ask-first',
  note: 'Only the business plan.',
  saidOn: '2026-09-16',
  at: minutesAgo(5),
  ...more,
})

describe('franchisor rules', () => {
  test('a reader has none at first, and finds recorded ones with what was said and when', async () => {
    expect(await rulesOf()).toEqual([])
    expect(await record(change())).toMatchObject({ status: 200, body: change() })
    expect(await rulesOf()).toEqual([change()])
  })

  test('the newest change of a topic stays, in whatever order changes arrive, also twice', async () => {
    const changes = fc.array(
      fc.record({
        topic: fc.constantFrom(...ruleTopics),
        rule: fc.constantFrom(...answers),
        minutes: fc.integer({ min: 0, max: 1_000 }),
      }),
      { minLength: 1, maxLength: 8 },
    )
    await fc.assert(
      fc.asyncProperty(changes, fc.infiniteStream(fc.nat()), async (made, order) => {
        await server.database.db.delete(franchisorRules)
        // Each minute once, so that one change is the newest.
        const distinct = made.filter(
          ({ minutes }, index) => made.findIndex((other) => other.minutes === minutes) === index,
        )
        const arriving = [...distinct, ...distinct]
          .map((one) => ({ one, place: order.next().value ?? 0 }))
          .sort((a, b) => a.place - b.place)
        for (const { one } of arriving) await record(change({ ...one, at: minutesAgo(one.minutes) }))
        for (const topic of ruleTopics) {
          const newest = distinct.filter((one) => one.topic === topic).sort((a, b) => a.minutes - b.minutes)[0]
          const stored = (await rulesOf()).find((one) => one.topic === topic)
          expect(stored?.rule).toBe(newest?.rule)
        }
      }),
      { numRuns: 8 },
    )
  })

  test('an older change of another device is answered with what is stored', async () => {
    await record(change({ rule: 'forbidden', at: minutesAgo(1) }))
    expect(await record(change({ rule: 'not-regulated', at: minutesAgo(9) }))).toMatchObject({
      status: 200,
      body: { rule: 'forbidden', at: minutesAgo(1) },
    })
  })

  test('a device whose clock is ahead can’t block later changes', async () => {
    await record(change({ rule: 'forbidden', at: minutesAgo(-60 * 24 * 365) }))
    server.clock.now = new Date(server.clock.now.getTime() + 60_000)
    await record(change({ rule: 'ask-first', at: minutesAgo(0) }))
    expect(await rulesOf()).toMatchObject([{ rule: 'ask-first' }])
  })

  test.each([
    ['an unknown topic', { topic: 'weather' }],
    ['a topic that only informs', { topic: 'royalty-base' }],
    ['an unknown rule', { rule: 'maybe' }],
    ['a note of more than 2,000 characters', { note: 'x'.repeat(2_001) }],
    ['the year 0', { saidOn: '0000-01-01' }],
    ['a day that doesn’t exist', { saidOn: '2026-02-30' }],
    ['no time', { at: undefined }],
    ['a time that isn’t one', { at: 'yesterday' }],
  ])('%s is refused and changes nothing', async (_what, wrong) => {
    const { status, body } = await record(change(wrong))
    expect(status).toBe(400)
    expect(body).toMatchObject({ error: expect.any(String) })
    expect(await rulesOf()).toEqual([])
  })

  test('a note may have markup, any script and several lines; characters that can’t be stored are left out', async () => {
    const note = 'Line 1\r\n<b onclick=x>é 漢字 \u{1F600}</b> \uD800 \u0000\u0007end'
    await record(change({ note }))
    const [rule] = await rulesOf()
    expect(rule?.note).toBe('Line 1\n<b onclick=x>é 漢字 \u{1F600}</b> \uFFFD end')
  })

  test('no note ever fails or breaks the list', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 2_000 }), async (note) => {
        expect((await record(change({ note }))).status).toBe(200)
        expect(await rulesOf()).toHaveLength(1)
      }),
      { numRuns: 20 },
    )
  })

  test('readers see only their own, and without a plan none', async () => {
    await record(change())
    const other = await buildUser(server, { subscription: 'active' })
    const ended = await buildUser(server, { subscription: 'canceled' })
    expect(await rulesOf(other)).toEqual([])
    expect((await call(server, 'franchisor-rules', {}, ended.token)).status).toBe(403)
    expect((await record(change(), ended)).status).toBe(403)
    expect((await call(server, 'franchisor-rules', {})).status).toBe(401)
  })

  test('they are deleted with the account', async () => {
    await record(change())
    await server.database.db.delete(users).where(eq(users.id, reader.id))
    expect(await server.database.db.$count(franchisorRules)).toBe(0)
  })
})
