import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { caseCount } from '#tests/support/case-count.ts'
import { openAdmin } from './support.ts'

let admin: Awaited<ReturnType<typeof openAdmin>>
beforeAll(async () => {
  admin = await openAdmin()
})
afterAll(() => admin.server.close())

const idsOf = async (kind: string) =>
  (await admin.get<{ items: { id: string }[] }>('admin-content', { kind })).items.map(({ id }) => id)
const seen = async () =>
  (await admin.get<{ tools: { id: string }[] }>('tools', {}, admin.reader)).tools.map(({ id }) => id)

test('readers see any complete order that the admin saves; anything else changes nothing', async () => {
  const all = await idsOf('tool')
  const anyList = fc.array(fc.constantFrom(...all, 'unknown'), { maxLength: all.length + 1 })
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.shuffledSubarray(all, { minLength: all.length }), fc.shuffledSubarray(all), anyList),
      async (ids) => {
        const before = await seen()
        const isWhole = ids.length === all.length && new Set(ids).size === all.length && !ids.includes('unknown')
        const answer = await admin.ask('admin-order-content', { kind: 'tool', ids })
        expect([ids, answer.status]).toEqual([ids, isWhole ? 200 : 409])
        expect(await seen()).toEqual(isWhole ? ids : before)
        expect(await idsOf('tool')).toEqual(await seen())
      },
    ),
    { numRuns: caseCount(8, 25) },
  )
})

test('two concurrent reorderings end with one of the two orders', async () => {
  const ids = await idsOf('guide')
  const orders = [ids.toReversed(), [...ids.slice(1), ...ids.slice(0, 1)]]
  await Promise.all(orders.map((order) => admin.get('admin-order-content', { kind: 'guide', ids: order })))
  expect(orders).toContainEqual(await idsOf('guide'))
})

test('a reordering based on an outdated order fails, so that a move in another tab isn’t undone', async () => {
  for (const kind of ['tool', 'guide', 'prompt-pack'] as const) {
    const before = await idsOf(kind)
    const here = [...before.slice(1), ...before.slice(0, 1)]
    const there = before.toReversed()
    const answers = await Promise.all(
      [here, there].map((ids) => admin.ask('admin-order-content', { kind, ids, before })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'order_changed' })
    const [kept] = [here, there].filter((_, index) => answers[index]?.status === 200)
    expect(await idsOf(kind)).toEqual(kept)
  }
})

test('drops can’t be reordered, since they are sorted by date', async () => {
  const answer = await admin.ask('admin-order-content', { kind: 'issue', ids: await idsOf('issue') })
  expect(answer.status).toBe(400)
})
