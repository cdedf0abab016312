import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { queryRows } from '#server/db/database.ts'
import { collectionItems, collections, contentItems, savedItems } from '#server/db/schema/index.ts'
import { listSaved } from '#server/features/reader/saved/saved-items.ts'
import type { Collection, ItemCollection, SavedItem } from '#shared/contracts/reader/saved.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { caseCount } from '#tests/support/case-count.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { type Ask, addItems, askAs, instant, marksOf } from './support.ts'

const server = openForTests(() => createTestApp())
let reader: TestUser
let ask: Ask

const drop = { kind: 'issue', id: 'till-counts' } as const
const section = { kind: 'section', id: 'till-counts--twice', parentId: 'till-counts' } as const
const prompt = { kind: 'prompt', id: 'weekly-review' } as const
const guide = { kind: 'guide', id: 'opening-week' } as const

beforeAll(() => {
  server.clock.now = new Date('2026-11-10T12:00:00Z')
})
beforeEach(async () => {
  await server.database.truncate()
  await addItems(server, [drop, section, prompt, guide])
  reader = await buildUser(server, { subscription: 'active' })
  ask = askAs(server, reader)
})

const save = (item: object, minute: number, saved = true) => ask('save-item', { ...item, saved, at: instant(minute) })
const list = (input: object = {}) => ask<{ items: SavedItem[]; nextCursor: string | null }>('saved-items', input)
const titles = async (input?: object) => (await list(input)).items.map(({ title }) => title)
const collect = (collectionId: string, item: object, minute: number, member = true) =>
  ask('collect-item', { ...item, collectionId, member, at: instant(minute) })
const saveCollection = (id: string, name: string, minute: number, rest: object = {}) =>
  ask<{ name: string }>('save-collection', { id, name, at: instant(minute), ...rest })
const listCollections = async () => (await ask<{ collections: Collection[] }>('collections')).collections
const [one, two, three] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]

describe('saving', () => {
  test('keeps an item until it is removed, and the same change twice changes nothing', async () => {
    expect(await save(prompt, 1)).toEqual({ saved: true, at: instant(1) })
    expect(await save(prompt, 1)).toEqual({ saved: true, at: instant(1) })
    expect(await marksOf(ask, { kind: 'prompts' })).toMatchObject([{ id: 'weekly-review', saved: true }])
    expect(await titles()).toEqual(['Title of weekly-review'])
    await save(prompt, 2, false)
    expect(await titles()).toEqual([])
  })

  test('a change that arrives late doesn’t undo a newer one, and the answer says what is stored', async () => {
    await save(prompt, 5, false)
    expect(await save(prompt, 4)).toEqual({ saved: false, at: instant(5) })
    expect(await titles()).toEqual([])
  })

  test('a clock that is ahead counts as now, so that later changes still count', async () => {
    const now = server.clock.now.toISOString()
    expect(await ask('save-item', { ...prompt, saved: true, at: '2031-01-01T00:00:00Z' })).toEqual({
      saved: true,
      at: now,
    })
    server.clock.advance(1_000)
    const later = server.clock.now.toISOString()
    expect(await ask('save-item', { ...prompt, saved: false, at: later })).toEqual({ saved: false, at: later })
    expect(await ask('save-item', { ...guide, saved: true, at: '0000-01-01T00:00:00Z' })).toMatchObject({ saved: true })
  })

  test('refuses what was never published', async () => {
    const answer = await call(server, 'save-item', { ...prompt, id: 'x', saved: true, at: instant(1) }, reader.token)
    expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })

  test.each([
    ['a null character', { ...prompt, id: 'a\0b' }],
    ['a lone surrogate', { ...prompt, id: '\ud800' }],
    ['no id', { ...prompt, id: '' }],
    ['a long id', { ...prompt, id: 'x'.repeat(201) }],
    ['an unknown kind', { ...prompt, kind: 'letter' }],
    ['a day instead of an instant', { ...prompt, at: '2026-11-02' }],
    ['a list', []],
  ])('refuses %s and stores nothing', async (_what, body) => {
    const input = Array.isArray(body) ? body : { saved: true, at: instant(1), ...body }
    expect((await call(server, 'save-item', input, reader.token)).status).toBe(400)
    expect(await titles()).toEqual([])
  })
})

describe('the list', () => {
  test('is newest first and can be limited to a kind; a section names its drop', async () => {
    await save(prompt, 1)
    await save(section, 3)
    await save(drop, 2)
    expect(await titles()).toEqual(['Title of till-counts--twice', 'Title of till-counts', 'Title of weekly-review'])
    expect((await list({ kind: 'section' })).items).toEqual([
      {
        kind: 'section',
        id: section.id,
        title: 'Title of till-counts--twice',
        path: '/portal/weekly-drops/till-counts#twice',
        parentTitle: 'Title of till-counts',
        savedAt: instant(3),
      },
    ])
  })

  test('keeps the title of an item that readers can’t open anymore, without a link', async () => {
    await save(prompt, 1)
    await server.database.db
      .update(contentItems)
      .set({ removedAt: server.clock.now })
      .where(and(eq(contentItems.kind, 'prompt'), eq(contentItems.id, prompt.id)))
    expect((await list()).items).toMatchObject([{ title: 'Title of weekly-review', path: null }])
  })

  test('has pages without gaps or repeats, also for items saved in the same millisecond', async () => {
    const many = Array.from({ length: 25 }, (_, index) => ({ kind: 'tool', id: `tool-${index}` }) as const)
    await addItems(server, many)
    for (const [index, item] of many.entries()) await save(item, index < 12 ? 1 : index)
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page: { items: SavedItem[]; nextCursor: string | null } = await list({ cursor, limit: 4 })
      seen.push(...page.items.map(({ id }) => id))
      cursor = page.nextCursor
    } while (cursor)
    expect(seen).toHaveLength(25)
    expect(new Set(seen).size).toBe(25)
  })

  test('refuses a cursor of another list', async () => {
    for (const cursor of ['x', Buffer.from('[1,2]').toString('base64url'), '\u202e']) {
      expect((await call(server, 'saved-items', { cursor }, reader.token)).status).toBe(400)
    }
  })

  test('contains nothing of another reader, whose ids may be the same', async () => {
    const other = askAs(server, await buildUser(server, { subscription: 'active' }))
    await saveCollection(one, 'Mine', 1)
    await other('save-collection', { id: one, name: 'Theirs', at: instant(1) })
    await other('collect-item', { collectionId: one, ...guide, member: true, at: instant(2) })
    expect(await list()).toEqual({ items: [], nextCursor: null })
    expect(await list({ collectionId: one })).toEqual({ items: [], nextCursor: null })
    expect(await listCollections()).toMatchObject([{ name: 'Mine', count: 0 }])
    expect(await marksOf(ask, { kind: 'guides' })).toEqual([])
  })
})

describe('collections', () => {
  test('hold items, which are saved with it; removing an item from Saved takes it out', async () => {
    await saveCollection(one, 'Hiring', 1)
    await saveCollection(two, 'Ads', 1)
    await collect(one, prompt, 2)
    await collect(two, prompt, 3)
    await collect(one, guide, 4)
    expect(await titles({ collectionId: one })).toEqual(['Title of opening-week', 'Title of weekly-review'])
    expect(await titles({ collectionId: one, kind: 'guide' })).toEqual(['Title of opening-week'])
    expect(await listCollections()).toMatchObject([
      { id: two, name: 'Ads', count: 1 },
      { id: one, name: 'Hiring', count: 2 },
    ])
    const { collections: ofPrompt } = await ask<{ collections: ItemCollection[] }>('item-collections', prompt)
    expect(ofPrompt.map(({ name, member }) => [name, member])).toEqual([
      ['Ads', true],
      ['Hiring', true],
    ])
    await save(prompt, 5, false)
    expect(await titles({ collectionId: one })).toEqual(['Title of opening-week'])
    expect(await listCollections()).toMatchObject([{ count: 0 }, { count: 1 }])
    await collect(one, guide, 6, false)
    expect(await titles()).toEqual(['Title of opening-week'])
    expect(await titles({ collectionId: one })).toEqual([])
  })

  test('refuse the name of another one, whatever its case, and take it with a number when offline changes are merged', async () => {
    await saveCollection(one, 'Ads', 1)
    const again = { id: two, name: ' ADS ', at: instant(2) }
    expect(await call(server, 'save-collection', again, reader.token)).toMatchObject({
      status: 409,
      body: { code: 'name_taken', error: 'You already have a collection named “ADS”.' },
    })
    expect(await saveCollection(two, 'ADS', 2, { ifNameTaken: 'number' })).toMatchObject({ name: 'ADS 2' })
    // A repeat of the same request, after the answer was lost.
    expect(await saveCollection(one, 'Ads', 1)).toMatchObject({ name: 'Ads' })
    expect((await listCollections()).map(({ name }) => name)).toEqual(['Ads', 'ADS 2'])
  })

  test('that are deleted come back with their items when they are saved again', async () => {
    await saveCollection(one, 'Ads', 1)
    await collect(one, prompt, 2)
    await ask('delete-collection', { id: one, at: instant(3) })
    expect(await listCollections()).toEqual([])
    expect(await titles({ collectionId: one })).toEqual([])
    expect(await titles()).toEqual(['Title of weekly-review'])
    await saveCollection(one, 'Ads', 2)
    expect(await listCollections()).toEqual([])
    await saveCollection(one, 'Ads', 4)
    expect(await listCollections()).toMatchObject([{ name: 'Ads', count: 1 }])
  })

  test.each([
    ['an empty name', '   '],
    ['a name without a visible character', '\u200b'],
    ['a long name', 'x'.repeat(61)],
    ['a line break', 'a\nb'],
    ['a null character', 'a\0'],
    ['a lone surrogate', 'a\udfff'],
  ])('refuse %s', async (_what, name) => {
    const answer = await call(server, 'save-collection', { id: one, name, at: instant(1) }, reader.token)
    expect(answer.status).toBe(400)
    expect(await listCollections()).toEqual([])
  })

  test('keep markup as text, and are at most 200', async () => {
    const markup = '<img src=x onerror=alert(1)>'
    expect(await saveCollection(one, markup, 1)).toMatchObject({ name: markup })
    await server.database.db.insert(collections).values(
      Array.from({ length: 199 }, (_, index) => ({
        userId: reader.id,
        id: crypto.randomUUID(),
        name: `Collection ${index}`,
        deleted: false,
        at: server.clock.now,
      })),
    )
    const more = { id: two, name: 'One more', at: instant(1) }
    expect(await call(server, 'save-collection', more, reader.token)).toMatchObject({
      status: 409,
      body: { code: 'too_many_collections' },
    })
    expect(await saveCollection(one, 'Renamed', 2)).toMatchObject({ name: 'Renamed' })
  })

  test('refuse an unknown collection or item', async () => {
    for (const [id, item] of [
      [three, prompt],
      [one, { kind: 'tool', id: 'x' }],
    ] as const) {
      if (id === one) await saveCollection(one, 'Ads', 1)
      const input = { collectionId: id, ...item, member: true, at: instant(2) }
      expect((await call(server, 'collect-item', input, reader.token)).status).toBe(404)
    }
    expect((await call(server, 'delete-collection', { id: three, at: instant(1) }, reader.token)).status).toBe(404)
  })
})

test('deleting the account leaves nothing of it', async () => {
  await saveCollection(one, 'Ads', 1)
  await collect(one, prompt, 2)
  await ask('mark-read', { items: [drop], at: instant(3) })
  const exported = await ask<{ data: Record<string, unknown> }>('export-data')
  expect(exported.data).toMatchObject({
    savedItems: [{ kind: 'prompt', id: 'weekly-review', saved: true }],
    collections: [{ name: 'Ads', deleted: false }],
    collectionItems: [{ collectionId: one, kind: 'prompt', id: 'weekly-review', member: true }],
    reading: [{ kind: 'issue', id: 'till-counts', readAt: instant(3) }],
  })
  await server.database.db.execute(sql`delete from auth.users where id = ${reader.id}`)
  for (const table of ['saved_items', 'collections', 'collection_items', 'reading_state']) {
    expect(await queryRows(server.database.db, sql`select 1 from ${sql.identifier(table)}`), table).toEqual([])
  }
})

/** `SAVED_ITEMS=100000` for a full run. */
const manyItems = caseCount(5_000, 20_000, 'SAVED_ITEMS')

test(`with ${manyItems} saved items, a page of the list and the marks of a page read only their own rows`, async () => {
  const { db } = server.database
  await db.execute(sql`
    insert into content_items (kind, id, title, path, parent_id, published_at, changed_at)
      select 'section', 'many--' || n, 'Section ' || n, '/portal/weekly-drops/many#' || n, 'many', now(), now()
        from generate_series(1, ${manyItems}::int) n`)
  await db.execute(sql`
    insert into saved_items (user_id, kind, item_id, saved, at)
      select ${reader.id}::uuid, 'section', 'many--' || n, true, now() - n * interval '1 second'
        from generate_series(1, ${manyItems}::int) n`)
  await saveCollection(one, 'Everything', 1)
  await db.execute(sql`
    insert into collection_items (user_id, collection_id, kind, item_id, member, at)
      select user_id, ${one}::uuid, kind, item_id, true, at from saved_items`)
  for (const table of [savedItems, collectionItems, contentItems]) await db.execute(sql`analyze ${table}`)
  await save(prompt, 1)
  expect(await marksOf(ask, { kind: 'prompts' })).toHaveLength(1)
  expect(await listCollections()).toMatchObject([{ count: 1_000 }])
  for (const input of [{}, { kind: 'section' as const }, { collectionId: one }]) {
    const first = await listSaved(db, reader.id, input)
    const second = await listSaved(db, reader.id, { ...input, cursor: first.nextCursor })
    expect(new Set([...first.items, ...second.items].map(({ id }) => id)).size).toBe(100)
    const plan = JSON.stringify(await explain(() => listSaved(db, reader.id, { ...input, cursor: first.nextCursor })))
    expect(plan, JSON.stringify(input)).toMatch(/(saved_items_(list|kind)|collection_items_list)_idx/)
    expect(plan, JSON.stringify(input)).not.toContain('"Sort"')
  }
})

/** The plan of the statement that the function runs. */
async function explain(run: () => Promise<unknown>): Promise<unknown> {
  const { db } = server.database
  const session = (db as unknown as { session: { prepareQuery: (...parameters: unknown[]) => unknown } }).session
  const prepare = session.prepareQuery.bind(session)
  let statement: { sql: string; params: unknown[] } | undefined
  session.prepareQuery = (...parameters) => {
    statement = parameters[0] as typeof statement
    return prepare(...parameters)
  }
  await run()
  session.prepareQuery = prepare
  if (!statement) throw new Error('No statement')
  const [text, ...rest] = statement.sql.split(/\$\d+/)
  const query = rest.reduce(
    (all, part, index) => sql`${all}${statement?.params[index]}${sql.raw(part)}`,
    sql.raw(text ?? ''),
  )
  return queryRows(db, sql`explain (format json) ${query}`)
}
