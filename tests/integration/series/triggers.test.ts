import { asc, eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { deleteAccountRows } from '#server/db/account-rows.ts'
import { memberTags, seriesEvent, seriesSegmentMember } from '#server/db/schema/index.ts'
import type { SeriesTrigger } from '#shared/domain/series.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { dyingAfter } from '#tests/support/dying-database.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { createSeriesHelpers, dayMs, draft, email, filter, runMinute, stepId, wait } from './support.ts'

const server = openForTests(() => createTestApp())
const start = new Date('2026-11-25T15:00:00Z')
let owner: TestUser
let helpers: ReturnType<typeof createSeriesHelpers>

beforeEach(async () => {
  await server.database.truncate()
  server.clock.now = start
  owner = await buildUser(server, { admin: true })
  helpers = createSeriesHelpers(server, () => owner)
})

const minute = () => runMinute(server.deps)
const later = async (days: number) => {
  server.clock.advance(days * dayMs)
  // Sessions of staff end meanwhile.
  owner = await buildUser(server, { admin: true })
}
const setTags = async ({ id }: TestUser, tags: string[]) => {
  const { status } = await helpers.invoke('admin-set-member-tags', { userId: id, tags })
  expect(status).toBe(200)
}
const tagStep = (n: number, tag: string, change: 'add' | 'remove' = 'add') =>
  ({ kind: 'tag', id: stepId(n), tag, change }) as const
const onTag = (tag: string): SeriesTrigger => ({ kind: 'tag_set', tag })
/** Rounds of a member by series. */
const rounds = async ({ id }: TestUser) =>
  (await helpers.entries()).filter(({ userId }) => userId === id).map(({ seriesId, round }) => ({ seriesId, round }))

async function saveView(tags: string[], id?: string): Promise<string> {
  const saved = await helpers.invoke('admin-save-member-view', { id, name: 'Tagged', filter: filter({ tags }) })
  expect(saved.status).toBe(200)
  return saved.body.id
}
const onView = (id: string): SeriesTrigger => ({ kind: 'joined_segment', of: 'view', id })

describe('A tag', () => {
  test('lets a member enter once it is set, whichever way, and not while they have it', async () => {
    const before = await buildUser(server)
    await setTags(before, ['vip'])
    await helpers.turnOn(draft({ trigger: onTag('vip'), steps: [email(1)] }))
    await helpers.turnOn(draft({ name: 'Other', trigger: onTag('other'), steps: [email(2)] }))
    const [mia, zoe] = [await buildUser(server), await buildUser(server)]
    await setTags(mia, ['new', 'vip'])
    await server.database.db.insert(memberTags).values(
      [zoe, before].map(({ id }, at) => ({
        userId: id,
        tag: ['vip', 'late'][at] ?? '',
        joinedMicros: 0,
        addedAt: start,
      })),
    )
    await minute()
    await setTags(mia, ['vip'])
    await minute()
    expect(await helpers.delivered()).toEqual({ [mia.email]: ['Email 1'], [zoe.email]: ['Email 1'] })
    expect(await server.database.db.$count(seriesEvent)).toBe(0)
  })

  test('lets them enter again when it is set again after the days that the publisher allows', async () => {
    await helpers.turnOn(draft({ trigger: onTag('vip'), steps: [email(1)], reentryDays: 30 }))
    const mia = await buildUser(server)
    for (const days of [0, 10, 21]) {
      await later(days)
      await setTags(mia, [])
      await setTags(mia, ['vip'])
      await minute()
    }
    expect(await helpers.delivered()).toEqual({ [mia.email]: ['Email 1', 'Email 1'] })
  })
})

describe('A field', () => {
  const turnOn = (field: number, value: string | null) =>
    helpers.turnOn(
      draft({ trigger: { kind: 'field_set', field, value }, steps: [email(1)], reentryDays: 30, name: `To ${value}` }),
    )

  test('lets a member enter when it is set to the value, and not when it was so already', async () => {
    const field = await helpers.createField('number')
    await turnOn(field, '3')
    const mia = await buildUser(server)
    const sent: number[] = []
    for (const value of [2, 3, 3, 4, null, 3]) {
      await later(31)
      await helpers.setField(mia, field, value)
      await minute()
      sent.push((await helpers.delivered())[mia.email]?.length ?? 0)
    }
    expect(sent).toEqual([0, 1, 1, 1, 1, 2])
  })

  test('lets a member enter with any other answer, and with one of several choices', async () => {
    const field = await helpers.createField('choices', ['Small', 'Large'])
    const any = await turnOn(field, null)
    const large = await turnOn(field, 'large')
    const mia = await buildUser(server)
    for (const value of [['small'], ['small', 'large'], [], ['large']]) {
      await later(31)
      await helpers.setField(mia, field, value)
      await minute()
    }
    const entries = Map.groupBy(await rounds(mia), ({ seriesId }) => seriesId)
    expect(entries.get(any.id)).toHaveLength(3)
    expect(entries.get(large.id)).toHaveLength(2)
  })

  test('has to be there', async () => {
    const trigger = { kind: 'field_set', field: 99, value: null } as const
    const refused = await helpers.invoke('admin-save-series', draft({ trigger, steps: [email(1)] }))
    expect(refused.body).toMatchObject({ code: 'validation_failed' })
  })
})

describe('A view', () => {
  test('lets members enter who join it, looked at every 15 minutes, and no one who was in it before', async () => {
    const view = await saveView(['vip'])
    const [before, mia] = [await buildUser(server), await buildUser(server)]
    await setTags(before, ['vip'])
    await helpers.turnOn(draft({ trigger: onView(view), steps: [email(1)] }))
    await minute()
    await setTags(mia, ['vip'])
    server.clock.advance(14 * 60_000)
    await minute()
    expect(await helpers.delivered()).toEqual({})
    server.clock.advance(60_000)
    await minute()
    await minute()
    expect(await helpers.delivered()).toEqual({ [mia.email]: ['Email 1'] })
  })

  test('lets them enter again only after they were out of it, and after the days that the publisher allows', async () => {
    const view = await saveView(['vip'])
    const mia = await buildUser(server)
    await helpers.turnOn(draft({ trigger: onView(view), steps: [email(1)], reentryDays: 30 }))
    const sent: number[] = []
    for (const tags of [[], ['vip'], ['vip'], [], ['vip']]) {
      await later(31)
      await setTags(mia, tags)
      await minute()
      sent.push((await helpers.delivered())[mia.email]?.length ?? 0)
    }
    expect(sent).toEqual([0, 1, 1, 1, 2])
  })

  test('whose filter changes lets no one enter by the change', async () => {
    const view = await saveView(['vip'])
    const [mia, zoe] = [await buildUser(server), await buildUser(server)]
    await setTags(mia, ['gold'])
    await helpers.turnOn(draft({ trigger: onView(view), steps: [email(1)] }))
    await minute()
    await saveView(['vip', 'gold'], view)
    for (const tags of [[], ['gold']]) {
      await setTags(zoe, tags)
      await later(1)
      await minute()
    }
    expect(await helpers.delivered()).toEqual({ [zoe.email]: ['Email 1'] })
  })

  test('can’t be deleted while a series waits for it; one that is gone is a problem of the series', async () => {
    const view = await saveView(['vip'])
    const { id } = await helpers.turnOn(draft({ trigger: onView(view), steps: [email(1)] }))
    const refused = await helpers.invoke('admin-delete-member-view', { id: view })
    expect(refused.body).toMatchObject({ code: 'view_in_use' })
    await server.database.db.execute(sql`delete from member_views`)
    await minute()
    expect((await helpers.invoke('admin-series', { id })).body).toMatchObject({
      problems: [{ text: expect.stringContaining('no longer exists') }],
    })
    const again = await helpers.invoke(
      'admin-save-series',
      draft({ trigger: onView(view), steps: [email(1)], name: 'B' }),
    )
    expect(again.body).toMatchObject({ code: 'validation_failed' })
  })

  test('is compared in full or not at all when processes are killed and two nodes work', async () => {
    const view = await saveView(['vip'])
    await helpers.turnOn(draft({ trigger: onView(view), steps: [email(1)] }))
    await minute()
    const people = await Promise.all(Array.from({ length: 3 }, () => buildUser(server)))
    for (const each of people) await setTags(each, ['vip'])
    await later(1)
    for (let moments = 0; moments < 40; moments += 1) {
      const dying = dyingAfter(server.database.db, moments)
      await runMinute({ ...server.deps, database: { ...server.database, db: dying.db } }).catch(() => null)
    }
    await Promise.all([minute(), minute()])
    await minute()
    expect(await helpers.delivered()).toEqual(Object.fromEntries(people.map((each) => [each.email, ['Email 1']])))
    const [first] = people
    await server.database.db.transaction(async (tx) => deleteAccountRows(tx, first?.id ?? ''))
    expect(await server.database.db.$count(seriesSegmentMember)).toBe(2)
  })
})

test('A segment lets members enter whom staff add to it', async () => {
  const mia = await buildUser(server)
  const save = (add: string[], id?: string) =>
    helpers.invoke('admin-save-segment', { id, name: 'Beta', add, remove: [] })
  const { id } = (await save([owner.email])).body
  await helpers.turnOn(draft({ trigger: { kind: 'joined_segment', of: 'segment', id }, steps: [email(1)] }))
  await minute()
  await save([mia.email], id)
  await later(1)
  await minute()
  expect(await helpers.delivered()).toEqual({ [mia.email]: ['Email 1'] })
  const refused = await helpers.invoke('admin-delete-segment', { id })
  expect(refused.body).toMatchObject({ code: 'segment_in_use' })
})

describe('A series that triggers itself', () => {
  test('by its own tag is refused', async () => {
    const own = draft({ trigger: onTag('vip'), steps: [email(1), tagStep(2, 'vip')] })
    const refused = await helpers.invoke('admin-save-series', own)
    expect(refused.body).toMatchObject({ code: 'validation_failed', error: expect.stringContaining('adds the tag') })
    const removes = draft({ trigger: onTag('vip'), steps: [email(1), tagStep(2, 'vip', 'remove')] })
    expect((await helpers.invoke('admin-save-series', removes)).status).toBe(200)
  })

  test('through another one runs once for each member, unless staff set the tag again', async () => {
    const first = await helpers.turnOn(
      draft({
        name: 'First',
        trigger: onTag('a'),
        steps: [tagStep(1, 'a', 'remove'), wait(2, 31), tagStep(3, 'b')],
        reentryDays: 30,
      }),
    )
    const second = await helpers.turnOn(
      draft({
        name: 'Second',
        trigger: onTag('b'),
        steps: [tagStep(4, 'b', 'remove'), wait(5, 31), tagStep(6, 'a')],
        reentryDays: 30,
      }),
    )
    const mia = await buildUser(server)
    await setTags(mia, ['a'])
    for (let month = 0; month < 8; month += 1) {
      for (let run = 0; run < 3; run += 1) await minute()
      await later(32)
    }
    const once = [
      { seriesId: first.id, round: 1 },
      { seriesId: second.id, round: 1 },
    ]
    expect(await rounds(mia)).toEqual(once)
    const tags = await server.database.db
      .select({ tag: memberTags.tag })
      .from(memberTags)
      .where(eq(memberTags.userId, mia.id))
      .orderBy(asc(memberTags.tag))
    expect(tags).toEqual([{ tag: 'a' }])
    await setTags(mia, [])
    await setTags(mia, ['a'])
    await minute()
    expect(await rounds(mia)).toEqual([...once, { seriesId: first.id, round: 2 }])
  })

  test('through a view runs once for each member, unless staff set the tag again', async () => {
    const view = await saveView(['vip'])
    await helpers.turnOn(
      draft({
        trigger: onView(view),
        steps: [tagStep(1, 'vip', 'remove'), wait(2, 31), tagStep(3, 'vip')],
        reentryDays: 30,
      }),
    )
    await minute()
    const mia = await buildUser(server)
    await setTags(mia, ['vip'])
    for (let month = 0; month < 8; month += 1) {
      await later(16)
      for (let run = 0; run < 3; run += 1) await minute()
    }
    expect(await rounds(mia)).toHaveLength(1)
  })
})
