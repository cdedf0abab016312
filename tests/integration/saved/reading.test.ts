import { isDeepStrictEqual } from 'node:util'
import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { firstWeek, readerVisits } from '#server/db/schema/index.ts'
import { seedContent } from '#server/seed/seed-content.ts'
import type { FullIssue, ListedIssue } from '#shared/contracts/library/issues.ts'
import type { ItemMarks } from '#shared/contracts/reader/item-marks.ts'
import { buildUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { type Ask, askAs, instant } from './support.ts'

const server = openForTests(() => createTestApp())
const dayMs = 24 * 60 * 60_000
const slug = 'a-week-of-reviews'
const facts = `${slug}--facts-and-limits`
const sort = `${slug}--sort-by-hand`
let token: string
let ask: Ask

beforeEach(async () => {
  await server.database.truncate()
  server.clock.now = new Date('2026-11-22T12:00:00Z')
  await seedContent(server.deps)
  const reader = await buildUser(server, { subscription: 'active' })
  token = reader.token
  ask = askAs(server, reader)
})

const marks = (scope: object) => ask<ItemMarks>('item-marks', { scope })
const list = () => marks({ kind: 'issues' })
const savePosition = (sectionId: string, minute: number, rest: object = {}) =>
  ask('save-position', { issueId: slug, sectionId, readSections: [], finished: false, at: instant(minute), ...rest })

describe('reading', () => {
  test('an opened drop is read on every device; the earliest time counts', async () => {
    await ask('mark-read', { items: [{ kind: 'issue', id: slug }], at: instant(5) })
    await ask('mark-read', { items: [{ kind: 'issue', id: slug }], at: instant(2) })
    await ask('mark-read', { items: [{ kind: 'issue', id: slug }], at: instant(9) })
    expect((await list()).items).toMatchObject([{ kind: 'issue', id: slug, readAt: instant(2), saved: false }])
  })

  test('old marks of a device are taken over; drops that are gone are ignored', async () => {
    const items = [slug, 'deleted-long-ago', slug, 'holiday-hiring'].map((id) => ({ kind: 'issue', id }))
    await ask('mark-read', { items, at: instant(1) })
    expect((await list()).items.map(({ id }) => id).sort()).toEqual([slug, 'holiday-hiring'])
  })

  test('a drop continues where the reader stopped, until its end was reached', async () => {
    expect(await list()).toMatchObject({ items: [], continueReading: null })
    await savePosition(facts, 3, { readSections: [sort] })
    await savePosition(sort, 2)
    const { continueReading } = await list()
    expect(continueReading).toMatchObject({ slug, section: { id: facts } })
    const { items } = await marks({ kind: 'issue', slug })
    expect(items.map(({ kind, id, position }) => [kind, id, position])).toEqual(
      expect.arrayContaining([
        ['issue', slug, facts],
        ['section', sort, null],
      ]),
    )
    await savePosition(facts, 4, { finished: true })
    // Coming back to a finished drop doesn't make it unfinished.
    await savePosition(sort, 5)
    expect((await list()).continueReading).toBeNull()
  })

  test('a drop that was unpublished isn’t offered', async () => {
    await savePosition(facts, 3)
    await server.database.db.execute(sql`update issues set published_at = null where id = ${slug}`)
    expect((await list()).continueReading).toBeNull()
    expect((await marks({ kind: 'issue', slug })).items).toEqual([])
  })

  test('a position needs a section of the drop', async () => {
    await savePosition('holiday-hiring--x', 1)
    await savePosition('x', 2)
    expect((await list()).items).toEqual([])
    const input = { issueId: slug, sectionId: 'a\0b', readSections: [], finished: false, at: instant(1) }
    expect((await call(server, 'save-position', input, token)).status).toBe(400)
    const many = { items: Array.from({ length: 501 }, () => ({ kind: 'issue', id: slug })), at: instant(1) }
    expect((await call(server, 'mark-read', many, token)).status).toBe(400)
  })

  test('a title with quotes is a title, in the marks of a drop that doesn’t exist too', async () => {
    expect((await marks({ kind: 'issue', slug: `' or 1=1 --` })).items).toEqual([])
  })
})

describe('what came since the last visit', () => {
  const unread = async () => (await list()).newIssues?.sort()
  /** Moves what is stored into the past: a session wouldn't outlive the visits. */
  async function later(hours: number) {
    const { db } = server.database
    const pause = sql`make_interval(hours => ${hours}::int)`
    await db.execute(
      sql`update reader_visits set started_at = started_at - ${pause}, previous_at = previous_at - ${pause}`,
    )
    await db.execute(sql`update reading_state set read_at = read_at - ${pause}, position_at = position_at - ${pause}`)
    await db.execute(sql`update issues set published_at = published_at - ${pause}`)
  }
  const publish = (id: string) =>
    server.database.db.execute(
      sql`update issues set published_at = ${server.clock.now.toISOString()}::timestamptz where id = ${id}`,
    )
  const stored = async () => (await server.database.db.select().from(readerVisits))[0]

  beforeEach(() => server.database.db.execute(sql`update issues set published_at = ${instant(0)}::timestamptz`))

  test('a new reader has nothing unread, then what is published after the first visit began', async () => {
    expect(await unread()).toEqual([])
    await later(1)
    await publish('holiday-hiring')
    expect(await unread()).toEqual(['holiday-hiring'])
    expect((await marks({ kind: 'prompts' })).newIssues).toBeUndefined()
  })

  test('a drop is unread until it is opened or the visit after it has ended', async () => {
    await unread()
    await later(24)
    await publish('holiday-hiring')
    await publish(slug)
    await later(1)
    expect(await unread()).toEqual([slug, 'holiday-hiring'])
    await ask('mark-read', { items: [{ kind: 'issue', id: slug }], at: server.clock.now.toISOString() })
    await later(3)
    expect(await unread()).toEqual(['holiday-hiring'])
    await later(24)
    expect(await unread()).toEqual([])
  })

  test('a visit goes on while the reader reads, and is written once', async () => {
    await unread()
    await later(24)
    await publish('holiday-hiring')
    await unread()
    const nowMinute = (server.clock.now.getTime() - Date.parse(instant(0))) / 60_000
    for (const hour of [3, 3, 3]) {
      await later(hour)
      await savePosition(facts, nowMinute)
      expect(await unread()).toEqual(['holiday-hiring'])
    }
    const hoursAgo = (hours: number) => new Date(server.clock.now.getTime() - hours * 60 * 60_000)
    expect(await stored()).toMatchObject({ startedAt: hoursAgo(9), previousAt: hoursAgo(33) })
    await later(5)
    expect(await unread()).toEqual([])
    expect(await stored()).toMatchObject({ startedAt: server.clock.now, previousAt: hoursAgo(14) })
  })

  test('two tabs that open at once are one visit', async () => {
    await unread()
    await later(24)
    await publish('holiday-hiring')
    expect(await Promise.all([unread(), unread(), unread()])).toEqual(Array(3).fill(['holiday-hiring']))
  })

  test('a device that stores the list for later starts no visit', async () => {
    await unread()
    await later(24)
    await publish('holiday-hiring')
    const visit = await stored()
    const { answers } = await ask<{ answers: { name: string; input: object; output: ItemMarks }[] }>('offline-library')
    const kept = answers.find(
      ({ name, input }) => name === 'item-marks' && isDeepStrictEqual(input, { scope: { kind: 'issues' } }),
    )
    expect(kept?.output.newIssues).toEqual(['holiday-hiring'])
    expect(await stored()).toEqual(visit)
  })

  test('a reader from before visits were recorded sees what came since they last read something', async () => {
    await ask('mark-read', { items: [{ kind: 'issue', id: slug }], at: server.clock.now.toISOString() })
    await later(24)
    await publish('holiday-hiring')
    expect(await unread()).toEqual(['holiday-hiring'])
  })
})

describe('a drop', () => {
  test('has the same number in the list and on its page, counted by date', async () => {
    const { issues } = await ask<{ issues: ListedIssue[] }>('weekly-drops')
    expect(issues.map(({ number }) => number)).toEqual(issues.map((_, index) => issues.length - index))
    for (const { slug: one, number } of issues) {
      expect((await ask<{ issue: FullIssue }>('weekly-drop', { slug: one })).issue.number).toBe(number)
    }
  })

  test('has the editor’s note, if there is one', async () => {
    const read = async () => (await ask<{ issue: FullIssue }>('weekly-drop', { slug })).issue.editorNote
    expect(await read()).toBe('')
    const note = 'I tried this at <two> counters.'
    await server.database.db.execute(
      sql`update issues set editor_note = ${note}, updated_at = updated_at + interval '1 second' where slug = ${slug}`,
    )
    expect(await read()).toBe(note)
  })

  test('lists the prompts of the packs that it names, without those that were removed', async () => {
    const read = async () => (await ask<{ issue: FullIssue }>('weekly-drop', { slug: 'holiday-hiring' })).issue.prompts
    const prompts = await read()
    expect(prompts.length).toBeGreaterThan(0)
    await server.database.db.execute(
      sql`update content_items set removed_at = now() where kind = 'prompt' and id = ${prompts[0]?.id}`,
    )
    expect(await read()).toEqual(prompts.slice(1))
  })
})

describe('the first week', () => {
  const done = async () => (await list()).firstWeek?.steps.filter((one) => one.done).map(({ step }) => step)

  test('has a checklist that follows what the member did', async () => {
    expect(await done()).toEqual([])
    await ask('update-preferences', { focusAreas: ['Sales'], aiLevel: 'beginner' })
    await ask('record-first-week', { event: 'start-page', at: instant(1) })
    await ask('save-item', { kind: 'prompt', id: 'operations-closing-handover', saved: true, at: instant(2) })
    expect(await done()).toEqual(['preferences', 'start-page', 'save'])
  })

  test('counts a copied prompt of a drop as well as one of a pack', async () => {
    await ask('start-try', { kind: 'section', id: sort, at: instant(1) })
    expect(await done()).toEqual([])
    await ask('record-item-use', { kind: 'section', id: sort, use: 'copied', at: instant(1) })
    expect(await done()).toEqual(['copy'])
  })

  test('doesn’t ask for prompts while the publisher hides their tab', async () => {
    const { settings } = server.deps.config
    const { publication } = settings
    const tabs = publication.navigation.tabs.filter(({ href }) => href !== '/portal/prompt-packs')
    settings.replace({ publication: { ...publication, navigation: { ...publication.navigation, tabs } } })
    const steps = (await list()).firstWeek?.steps.map(({ step }) => step)
    settings.replace({ publication })
    expect(steps).toEqual(['preferences', 'start-page', 'save', 'answer'])
  })

  test('is over after seven days, and when the member dismisses it', async () => {
    const startedAgo = (ms: number) =>
      server.database.db.update(firstWeek).set({ startedAt: new Date(server.clock.now.getTime() - ms) })
    expect(await done()).toEqual([])
    await startedAgo(7 * dayMs - 1)
    expect(await done()).toEqual([])
    await startedAgo(7 * dayMs)
    expect(await done()).toBeUndefined()

    const other = askAs(server, await buildUser(server, { subscription: 'active' }))
    const read = async () => (await other<ItemMarks>('item-marks', { scope: { kind: 'issues' } })).firstWeek
    expect(await read()).not.toBeNull()
    await other('record-first-week', { event: 'dismissed', at: server.clock.now.toISOString() })
    expect(await read()).toBeNull()
  })
})
