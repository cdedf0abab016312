import { and, eq } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { contentItems, tries, tryDays } from '#server/db/schema/index.ts'
import type { ReadTry, SharedNote } from '#shared/contracts/reader/tries.ts'
import { tryOutcomes } from '#shared/domain/try-outcomes.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { caseCount } from '#tests/support/case-count.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { addItem, now, prompt, record, remove, section, start, startOver, subscriber } from './support.ts'

const server = openForTests(() => createTestApp())
let reader: TestUser

beforeEach(async () => {
  await startOver(server)
  reader = await subscriber(server)
})

const read = async (user = reader, item = prompt) => (await call(server, 'read-try', item, user.token)).body as ReadTry
const minutesAfter = (minutes: number) => new Date(now.getTime() + minutes * 60_000)
const notes = async () => {
  const admin = await buildUser(server, { admin: true })
  return (await call(server, 'admin-shared-notes', {}, admin.token)).body.items as SharedNote[]
}

test('An answer is recorded, changed and removed', async () => {
  const answer = { outcome: 'worked', minutesPerWeek: 45, note: 'Shorter than before', shared: false } as const
  expect(await record(server, reader, prompt, answer)).toEqual({
    answer,
    changedAt: now.toISOString(),
    reminded: false,
    totals: null,
  })
  expect(await read()).toMatchObject({ title: 'A prompt', path: `/portal/prompt-packs#${prompt.id}`, answer })
  server.clock.advance(60_000)
  await record(server, reader, prompt, { outcome: 'did-not-work' })
  expect((await read()).answer).toEqual({ outcome: 'did-not-work', minutesPerWeek: null, note: '', shared: false })
  server.clock.advance(60_000)
  expect(await remove(server, reader, prompt, server.clock.now)).toMatchObject({ status: 200, body: { answer: null } })
  expect(await server.database.db.select().from(tryDays)).toEqual([])
  expect((await read(await subscriber(server))).answer).toBeNull()
})

test('Starting an item sets a reminder until there is an answer', async () => {
  expect((await start(server, reader, prompt)).body).toMatchObject({ answer: null, reminded: true })
  await start(server, reader, prompt, minutesAfter(5))
  await start(server, reader, prompt, minutesAfter(-5))
  const [row] = await server.database.db.select().from(tries)
  expect(row?.startedAt).toEqual(minutesAfter(-5))
  expect(await record(server, reader, prompt)).toMatchObject({ reminded: false })
  await remove(server, reader, prompt, now)
  expect(await read()).toMatchObject({ answer: null, reminded: false })
})

describe('Changes made offline', () => {
  type Change = { at: number; answer: { outcome: (typeof tryOutcomes)[number]; minutesPerWeek: number } | null }
  /** Distinct times, of which some are days apart. */
  const changes = fc.uniqueArray(
    fc.record({
      at: fc.integer({ min: -4 * 1440, max: 0 }),
      answer: fc.option(fc.record({ outcome: fc.constantFrom(...tryOutcomes), minutesPerWeek: fc.nat({ max: 300 }) })),
    }),
    { selector: ({ at }) => at, minLength: 1, maxLength: 7 },
  )

  async function stateAfter(history: readonly Change[]) {
    const user = await subscriber(server)
    for (const { at, answer } of history) {
      if (answer) await record(server, user, prompt, { ...answer, at: minutesAfter(at) })
      else await remove(server, user, prompt, minutesAfter(at))
    }
    const { db } = server.database
    const [row] = await db.select().from(tries).where(eq(tries.userId, user.id))
    const days = await db.select().from(tryDays).where(eq(tryDays.userId, user.id)).orderBy(tryDays.day)
    return {
      answer: (await read(user)).answer,
      removedAt: row?.removedAt,
      days: days.map(({ day, at, outcome, minutesPerWeek }) => ({ day, at, outcome, minutesPerWeek })),
    }
  }

  test('lead to the same result in any order and however often they arrive', async () => {
    await fc.assert(
      fc.asyncProperty(
        changes.chain((history) =>
          fc.tuple(
            fc.constant(history.toSorted((a, b) => a.at - b.at)),
            fc.shuffledSubarray([...history, ...history], { minLength: history.length * 2 }),
          ),
        ),
        async ([inOrder, shuffled]) => {
          expect(await stateAfter(shuffled)).toEqual(await stateAfter(inOrder))
        },
      ),
      { numRuns: caseCount(8, 25) },
    )
  })

  test('from a clock that is ahead count as made now, and from before the account as made then', async () => {
    await record(server, reader, prompt, { at: new Date('2031-01-01T00:00:00Z') })
    await record(server, reader, section, { at: new Date('1999-01-01T00:00:00Z') })
    const rows = await server.database.db.select().from(tries).orderBy(tries.kind)
    expect(rows.map(({ answeredAt }) => answeredAt)).toEqual([now, new Date('2024-01-02T00:00:00Z')])
    server.clock.advance(1)
    expect(await record(server, reader, prompt, { outcome: 'did-not-work' })).toMatchObject({
      answer: { outcome: 'did-not-work' },
    })
  })
})

describe('A note', () => {
  test('is seen by the publisher only while its reader shares it', async () => {
    await record(server, reader, prompt, { note: 'Private', shared: false })
    expect(await notes()).toEqual([])
    server.clock.advance(1000)
    await record(server, reader, prompt, { note: 'Worth a look <b>now</b>', shared: true })
    const sharedAt = server.clock.now.toISOString()
    expect(await notes()).toEqual([
      {
        ...prompt,
        title: 'A prompt',
        path: `/portal/prompt-packs#${prompt.id}`,
        outcome: 'worked',
        note: 'Worth a look <b>now</b>',
        sharedAt,
      },
    ])
    server.clock.advance(1000)
    await record(server, reader, prompt, { note: 'Worth a look <b>now</b>', shared: true, minutesPerWeek: 5 })
    expect(await notes()).toMatchObject([{ sharedAt }])
    server.clock.advance(1000)
    await record(server, reader, prompt, { note: 'Worth a look <b>now</b>', shared: false })
    expect(await notes()).toEqual([])
  })

  test('stops being shared when its answer is removed, or the account deleted', async () => {
    await record(server, reader, prompt, { note: 'One', shared: true })
    await record(server, reader, section, { note: 'Two', shared: true })
    await remove(server, reader, prompt, now)
    expect(await notes()).toMatchObject([{ note: 'Two' }])
  })

  test('keeps line breaks, emoji and markup as text and loses other control characters and direction overrides', async () => {
    const { answer } = await record(server, reader, prompt, {
      note: ' One\r\n\u202etwo\u2066\u0007\u0000\t<i>👍🏽</i> ',
    })
    expect(answer?.note).toBe('One\ntwo\t<i>👍🏽</i>')
  })

  test('lists have pages of any size', async () => {
    for (const id of ['a', 'b', 'c', 'd', 'e']) {
      await addItem(server, { kind: 'prompt', id })
      await record(server, reader, { kind: 'prompt', id }, { note: id, shared: true })
    }
    const admin = await buildUser(server, { admin: true })
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const { body } = await call(server, 'admin-shared-notes', { cursor, limit: 2 }, admin.token)
      const page = body as { items: SharedNote[]; nextCursor: string | null }
      seen.push(...page.items.map(({ note }) => note))
      cursor = page.nextCursor
    } while (cursor)
    expect(seen.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e'])
  })
})

describe('Bad input', () => {
  const valid = { ...prompt, at: now.toISOString(), outcome: 'worked', minutesPerWeek: 30, note: '', shared: false }

  test.each([
    ['minutes above a week', { minutesPerWeek: 10_081 }],
    ['negative minutes', { minutesPerWeek: -1 }],
    ['a part of a minute', { minutesPerWeek: 0.5 }],
    ['an unknown outcome', { outcome: 'constructor' }],
    ['a long note', { note: 'x'.repeat(2001) }],
    ['half an emoji', { note: '\ud83d' }],
    ['another kind', { kind: 'guide' }],
    ['an empty id', { id: '' }],
    ['a long id', { id: 'x'.repeat(201) }],
    ['a day instead of a time', { at: '2026-11-22' }],
    ['a time that does not exist', { at: '2026-02-30T00:00:00Z' }],
    ['no consent', { shared: 'yes' }],
  ])('%s is refused and changes nothing', async (_name, wrong) => {
    const answer = await call(server, 'record-try', { ...valid, ...wrong }, reader.token)
    expect(answer.status, JSON.stringify(answer.body)).toBe(400)
    expect(await server.database.db.select().from(tries)).toEqual([])
  })

  test('an item that is unknown or unpublished is not found; its answer can still be removed', async () => {
    for (const name of ['record-try', 'start-try']) {
      expect((await call(server, name, { ...valid, id: 'unknown' }, reader.token)).status).toBe(404)
    }
    await record(server, reader, prompt)
    const { db } = server.database
    const isPrompt = and(eq(contentItems.kind, 'prompt'), eq(contentItems.id, prompt.id))
    await db.update(contentItems).set({ removedAt: now }).where(isPrompt)
    expect((await call(server, 'record-try', valid, reader.token)).status).toBe(404)
    expect(await read()).toMatchObject({ title: 'A prompt', path: null, answer: { outcome: 'worked' } })
    expect((await remove(server, reader, prompt, minutesAfter(1))).status).toBe(200)
  })

  test('only readers with access may use it', async () => {
    const ended = await buildUser(server, { subscription: 'canceled' })
    for (const name of ['record-try', 'remove-try', 'start-try', 'read-try']) {
      expect((await call(server, name, valid, ended.token)).status).toBe(403)
      expect((await call(server, name, valid)).status).toBe(401)
    }
    expect((await call(server, 'admin-shared-notes', {}, reader.token)).status).toBe(403)
  })

  test('a cursor of another list is refused', async () => {
    const admin = await buildUser(server, { admin: true })
    for (const name of ['admin-tries', 'admin-shared-notes']) {
      expect((await call(server, name, { cursor: 'eyJ4IjoxfQ' }, admin.token)).status).toBe(400)
    }
  })
})
