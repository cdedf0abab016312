import { afterAll, beforeAll, expect, test } from 'vitest'
import { redactAuthor } from '#server/db/account-rows.ts'
import {
  contentDocument,
  contentRevision,
  mailings,
  publicationSettings,
  segments,
  suppressions,
} from '#server/db/schema/index.ts'
import type { Revision, StoredDocument } from '#shared/contracts/publishing/publishing.ts'
import { buildUser } from '#tests/support/build-user.ts'
import { drop, openAdmin } from './support.ts'

let admin: Awaited<ReturnType<typeof openAdmin>>
beforeAll(async () => {
  admin = await openAdmin()
})
afterAll(() => admin.server.close())

const minuteMs = 60_000
const create = (title: string) => admin.get<StoredDocument>('admin-create-document', { kind: 'issue', title })
const revisionsOf = async (id: string) =>
  (await admin.get<{ items: Revision[] }>('admin-revisions', { kind: 'issue', id })).items
const reasons = async (id: string) => (await revisionsOf(id)).map(({ reason, createdBy }) => [reason, createdBy])

test('the second save of one version fails, with the first editor’s text and email', async () => {
  const made = await create('Two editors')
  const mine = await admin.save(made, drop({ slug: made.id, title: 'Mine' }), admin.ann)
  expect(mine).toMatchObject({ status: 200, body: { version: 2, updatedBy: 'ann@example.test' } })
  const theirs = await admin.save(made, drop({ slug: made.id, title: 'Theirs' }), admin.ben)
  expect(theirs).toMatchObject({
    status: 409,
    body: {
      code: 'edit_conflict',
      current: { version: 2, updatedBy: 'ann@example.test', document: { title: 'Mine' } },
    },
  })
  expect((await admin.read('issue', made.id)).document).toMatchObject({ title: 'Mine' })
  const { current } = theirs.body as { current: StoredDocument }
  const kept = await admin.save(current, drop({ slug: made.id, title: 'Theirs after a look' }), admin.ben)
  expect(kept.body).toMatchObject({ version: 3, updatedBy: 'ben@example.test' })
})

test('of many concurrent saves of one version exactly one succeeds', async () => {
  const made = await create('Race')
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, index) => admin.save(made, drop({ slug: made.id, title: `Racer ${index}` }))),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
})

test('retrying a save whose response got lost is neither a conflict nor a new version', async () => {
  const made = await create('Sent twice')
  const text = drop({ slug: made.id, title: 'Sent twice' })
  await admin.save(made, text)
  expect(await admin.save(made, text)).toMatchObject({ status: 200, body: { version: 2 } })
})

test('publishing an outdated version fails and returns the newer text', async () => {
  const made = await create('Published late')
  const { body: seen } = await admin.save(made, drop({ slug: made.id }))
  await admin.save(seen as unknown as StoredDocument, drop({ slug: made.id, title: 'Changed' }), admin.ben)
  expect(await admin.publish(seen as unknown as StoredDocument)).toMatchObject({
    status: 409,
    body: { code: 'edit_conflict', current: { document: { title: 'Changed' }, updatedBy: 'ben@example.test' } },
  })
})

test('one revision per editing session and editor, and one for each publishing', async () => {
  let stored = await create('Sittings')
  const write = async (title: string, who = admin.ann) => {
    admin.server.clock.advance(minuteMs)
    stored = (await admin.save(stored, drop({ slug: stored.id, title }), who)).body as unknown as StoredDocument
  }
  for (const title of ['a', 'b', 'c']) await write(title)
  expect(await reasons(stored.id)).toEqual([['saved', 'ann@example.test']])
  await write('d', admin.ben)
  admin.server.clock.advance(11 * minuteMs)
  await write('e', admin.ben)
  await admin.publish(stored)
  await write('f', admin.ben)
  expect(await reasons(stored.id)).toEqual([
    ['saved', 'ben@example.test'],
    ['published', 'ann@example.test'],
    ['saved', 'ben@example.test'],
    ['saved', 'ben@example.test'],
    ['saved', 'ann@example.test'],
  ])
  const [, , , , first] = await revisionsOf(stored.id)
  const seen = await admin.get('admin-read-revision', { kind: 'issue', id: stored.id, revision: first?.revision })
  expect(seen.document).toMatchObject({ title: 'c' })
})

test('revisions are paged, newest first, without duplicates', async () => {
  const { id, kind, version, document } = await create('Much rewritten')
  const createdAt = admin.server.clock.now
  const rows = Array.from({ length: 103 }, () => ({ kind, id, version, document, reason: 'saved', createdAt }))
  await admin.server.database.db.insert(contentRevision).values(rows)
  const seen: number[] = []
  const lengths: number[] = []
  let cursor: string | null = null
  do {
    const page: { items: Revision[]; nextCursor: string | null } = await admin.get('admin-revisions', {
      kind,
      id,
      cursor,
    })
    seen.push(...page.items.map(({ revision }) => revision))
    lengths.push(page.items.length)
    cursor = page.nextCursor
  } while (cursor)
  expect(lengths).toEqual([50, 50, 3])
  expect(seen).toEqual([...new Set(seen)].toSorted((a, b) => b - a))
})

test('text overwritten after a conflict stays a separate revision, even the same editor’s from another tab', async () => {
  const made = await create('Own two tabs')
  const first = (await admin.save(made, drop({ slug: made.id, title: 'first tab' }))).body as unknown as StoredDocument
  const late = await admin.save(made, drop({ slug: made.id, title: 'second tab' }))
  expect(late.status).toBe(409)
  const { kind, id, version } = first
  const document = drop({ slug: made.id, title: 'second tab' })
  await admin.get('admin-save-document', { kind, id, version, document, apart: true })
  const titles = await Promise.all(
    (await revisionsOf(id)).map(async ({ revision }) => {
      const { document } = await admin.get<StoredDocument>('admin-read-revision', { kind, id, revision })
      return 'title' in document && document.title
    }),
  )
  expect(titles).toEqual(['second tab', 'first tab'])
})

test('restoring a revision creates a new version and keeps the current one', async () => {
  const original = await admin.read('issue', 'a-week-of-reviews')
  const { body } = await admin.save(original, { ...original.document, title: 'Spoiled' })
  const spoiled = body as unknown as StoredDocument
  const revisions = await revisionsOf('a-week-of-reviews')
  expect(revisions.map(({ reason, createdBy }) => [reason, createdBy])).toEqual([
    ['saved', 'ann@example.test'],
    ['saved', null],
  ])
  const revision = revisions.at(-1)?.revision
  const name = { kind: 'issue', id: 'a-week-of-reviews' }
  const late = await admin.ask('admin-restore-revision', { ...name, revision, version: original.version })
  expect(late).toMatchObject({ status: 409, body: { code: 'edit_conflict' } })
  const restored = await admin.get<StoredDocument>('admin-restore-revision', {
    ...name,
    revision,
    version: spoiled.version,
  })
  expect(restored.document).toEqual(original.document)
  expect(restored.version).toBe(spoiled.version + 1)
  expect((await reasons('a-week-of-reviews'))[0]).toEqual(['restored', 'ann@example.test'])
  const elsewhere = { kind: 'issue', id: 'follow-up-open-estimates', revision }
  expect((await admin.ask('admin-read-revision', elsewhere)).status).toBe(404)
})

const adminTables = [contentDocument, contentRevision, mailings, segments, suppressions, publicationSettings] as const

test('an editor whose account is deleted leaves the content, not their id', async () => {
  const leaver = await buildUser(admin.server, { email: 'leaver@example.test', admin: true })
  const made = await create('Left behind')
  await admin.save(made, drop({ slug: made.id, title: 'Left behind' }), leaver)
  expect(await reasons(made.id)).toEqual([['saved', 'leaver@example.test']])
  const segment = { name: 'Testers', add: [], remove: [] }
  await admin.get('admin-save-segment', segment, leaver)
  await admin.get('admin-create-mailing', { kind: 'news' }, leaver)
  await admin.get('admin-sending-settings', { save: await admin.get('admin-sending-settings', {}) }, leaver)
  const stop = { email: 'reader@example.test', stream: 'all', reason: 'manual' }
  const { id: first } = await admin.get<{ id: number }>('admin-suppress', stop, leaver)
  await admin.get('admin-lift-suppression', { id: first, reason: 'A slip' }, leaver)
  const { db } = admin.server.deps.database
  const written = async () => JSON.stringify(await Promise.all(adminTables.map((table) => db.select().from(table))))
  // In seven places: one per table, and two in suppressions, for creating and lifting.
  expect((await written()).split(leaver.id)).toHaveLength(8)
  expect(await written()).not.toContain('leaver@example.test')
  await db.transaction((tx) => redactAuthor(tx, leaver.id))
  expect(await written()).not.toContain(leaver.id)
  expect(await reasons(made.id)).toEqual([['saved', 'Former editor']])
  expect(await admin.read('issue', made.id)).toMatchObject({
    updatedBy: 'Former editor',
    document: { title: 'Left behind' },
  })
})
