import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { collectionItems, collections, readingState, savedItems } from '#server/db/schema/index.ts'
import {
  collectItem,
  deleteCollection,
  listCollections,
  saveCollection,
} from '#server/features/reader/saved/collections.ts'
import { markRead, savePosition } from '#server/features/reader/saved/reading-state.ts'
import { saveItem } from '#server/features/reader/saved/saved-items.ts'
import type { ItemRef } from '#shared/domain/content-items.ts'
import { buildUser } from '#tests/support/build-user.ts'
import { caseCount } from '#tests/support/case-count.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { addItems, instant } from './support.ts'

const server = openForTests(() => createTestApp())
const now = new Date('2026-11-10T12:00:00Z')
const items = [
  { kind: 'issue', id: 'till' },
  { kind: 'prompt', id: 'review' },
] as const satisfies ItemRef[]
const sections = ['till--one', 'till--two']
const ids = [crypto.randomUUID(), crypto.randomUUID()]
let userId = ''

beforeAll(async () => {
  await addItems(server, [...items, ...sections.map((id) => ({ kind: 'section', id, parentId: 'till' }) as const)])
  userId = (await buildUser(server)).id
})

/** A change as a device sends it. */
type Change =
  | { type: 'save'; item: ItemRef; saved: boolean; at: string }
  | { type: 'name'; id: string; name: string; at: string }
  | { type: 'delete'; id: string; at: string }
  | { type: 'collect'; id: string; item: ItemRef; member: boolean; at: string }
  | { type: 'read'; at: string }
  | { type: 'position'; section: string; finished: boolean; at: string }

function apply(change: Change) {
  const { db } = server.database
  const { at } = change
  switch (change.type) {
    case 'save':
      return saveItem(db, userId, { ...change.item, saved: change.saved, at }, now)
    case 'name':
      return saveCollection(db, userId, { id: change.id, name: change.name, at, ifNameTaken: 'number' }, now)
    case 'delete':
      return deleteCollection(db, userId, { id: change.id, at }, now)
    case 'collect':
      return collectItem(db, userId, { ...change.item, collectionId: change.id, member: change.member, at }, now)
    case 'read':
      return markRead(db, userId, { items: [{ kind: 'issue', id: 'till' }], at }, now)
    case 'position': {
      const { section, finished } = change
      return savePosition(
        db,
        userId,
        { issueId: 'till', sectionId: section, readSections: [section], finished, at },
        now,
      )
    }
  }
}

/** Everything that the server stores for the reader, in a fixed order. */
async function readState() {
  const { db } = server.database
  const rows = await Promise.all([
    db.select().from(savedItems),
    db.select().from(collections),
    db.select().from(collectionItems),
    db.select().from(readingState),
  ])
  return [
    ...rows.map((table) => table.map((row) => JSON.stringify(row)).sort()),
    (await listCollections(db, userId)).map(({ name, count }) => [name, count]),
  ]
}

async function stateAfter(changes: readonly Change[]) {
  const { db } = server.database
  for (const table of [collectionItems, collections, savedItems, readingState]) await db.delete(table)
  // Both devices know the collections; what they do with them differs.
  for (const id of ids) {
    await db.insert(collections).values({ userId, id, name: `Old ${id}`, deleted: false, at: new Date(instant(0)) })
  }
  for (const change of changes) await apply(change)
  return readState()
}

const item = fc.constantFrom<ItemRef>(...items)
const id = fc.constantFrom(...ids)
const changeOn = (minute: number): fc.Arbitrary<Change> => {
  const at = fc.constant(instant(minute))
  return fc.oneof(
    fc.record({ type: fc.constant('save' as const), item, saved: fc.boolean(), at }),
    fc.record({ type: fc.constant('name' as const), id, name: fc.constantFrom('Ads', 'ads', 'Ads 2'), at }),
    fc.record({ type: fc.constant('delete' as const), id, at }),
    fc.record({ type: fc.constant('collect' as const), id, item, member: fc.boolean(), at }),
    fc.record({ type: fc.constant('read' as const), at }),
    fc.record({
      type: fc.constant('position' as const),
      section: fc.constantFrom(...sections),
      finished: fc.boolean(),
      at,
    }),
  )
}
const changes = fc
  .integer({ min: 1, max: 10 })
  .chain((length) => fc.tuple(...Array.from({ length }, (_, index) => changeOn(index + 1))))

test('changes of two devices lead to the same state in every order of arrival, also when some arrive twice', async () => {
  const arrivals = changes.chain((made) =>
    fc.record({
      made: fc.constant(made),
      arrived: fc
        .tuple(fc.shuffledSubarray(made, { minLength: made.length }), fc.subarray(made))
        .map(([all, repeated]) => [...all, ...repeated]),
    }),
  )
  await fc.assert(
    fc.asyncProperty(arrivals, async ({ made, arrived }) => {
      expect(await stateAfter(arrived)).toEqual(await stateAfter(made))
    }),
    { numRuns: caseCount(10, 40) },
  )
})
