import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  contentDocument,
  contentRevision,
  mailings,
  publicationSettings,
  segments,
  suppressions,
} from '#server/db/schema/index.ts'
import { redactEditor } from '#server/features/publishing/redact-editor.ts'
import type { Revision, StoredDocument } from '#shared/contracts/publishing.ts'
import { buildUser } from '#tests/support/build-user.ts'
import { drop, openDesk } from './support.ts'

let desk: Awaited<ReturnType<typeof openDesk>>
beforeAll(async () => {
  desk = await openDesk()
})
afterAll(() => desk.server.close())

const minuteMs = 60_000
const create = (title: string) => desk.get<StoredDocument>('admin-create-document', { kind: 'issue', title })
const revisionsOf = async (id: string) =>
  (await desk.get<{ revisions: Revision[] }>('admin-revisions', { kind: 'issue', id })).revisions
const reasons = async (id: string) => (await revisionsOf(id)).map(({ reason, createdBy }) => [reason, createdBy])

test('who saves second is refused, and is shown who was first and what they wrote', async () => {
  const made = await create('Two editors')
  const mine = await desk.save(made, drop({ slug: made.id, title: 'Mine' }), desk.ann)
  expect(mine).toMatchObject({ status: 200, body: { version: 2, updatedBy: 'ann@example.test' } })
  const theirs = await desk.save(made, drop({ slug: made.id, title: 'Theirs' }), desk.ben)
  expect(theirs).toMatchObject({
    status: 409,
    body: {
      code: 'edit_conflict',
      current: { version: 2, updatedBy: 'ann@example.test', document: { title: 'Mine' } },
    },
  })
  expect((await desk.read('issue', made.id)).document).toMatchObject({ title: 'Mine' })
  const { current } = theirs.body as { current: StoredDocument }
  const kept = await desk.save(current, drop({ slug: made.id, title: 'Theirs after a look' }), desk.ben)
  expect(kept.body).toMatchObject({ version: 3, updatedBy: 'ben@example.test' })
})

test('of many saves at once from one version exactly one is kept', async () => {
  const made = await create('Race')
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, index) => desk.save(made, drop({ slug: made.id, title: `Racer ${index}` }))),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
})

test('the same text again, after an answer that got lost, is neither a conflict nor a new version', async () => {
  const made = await create('Sent twice')
  const text = drop({ slug: made.id, title: 'Sent twice' })
  await desk.save(made, text)
  expect(await desk.save(made, text)).toMatchObject({ status: 200, body: { version: 2 } })
})

test('who publishes what somebody else has changed since is shown the change first', async () => {
  const made = await create('Published late')
  const { body: seen } = await desk.save(made, drop({ slug: made.id }))
  await desk.save(seen as unknown as StoredDocument, drop({ slug: made.id, title: 'Changed' }), desk.ben)
  expect(await desk.publish(seen as unknown as StoredDocument)).toMatchObject({
    status: 409,
    body: { code: 'edit_conflict', current: { document: { title: 'Changed' }, updatedBy: 'ben@example.test' } },
  })
})

test('one revision for a sitting, one for each editor, always one when published', async () => {
  let stored = await create('Sittings')
  const write = async (title: string, who = desk.ann) => {
    desk.server.clock.advance(minuteMs)
    stored = (await desk.save(stored, drop({ slug: stored.id, title }), who)).body as unknown as StoredDocument
  }
  for (const title of ['a', 'b', 'c']) await write(title)
  expect(await reasons(stored.id)).toEqual([['saved', 'ann@example.test']])
  await write('d', desk.ben)
  desk.server.clock.advance(11 * minuteMs)
  await write('e', desk.ben)
  await desk.publish(stored)
  await write('f', desk.ben)
  expect(await reasons(stored.id)).toEqual([
    ['saved', 'ben@example.test'],
    ['published', 'ann@example.test'],
    ['saved', 'ben@example.test'],
    ['saved', 'ben@example.test'],
    ['saved', 'ann@example.test'],
  ])
  const [, , , , first] = await revisionsOf(stored.id)
  const seen = await desk.get('admin-read-revision', { kind: 'issue', id: stored.id, revision: first?.revision })
  expect(seen.document).toMatchObject({ title: 'c' })
})

test('earlier versions come in pages, newest first, each once', async () => {
  const { id, kind, version, document } = await create('Much rewritten')
  const createdAt = desk.server.clock.now
  const rows = Array.from({ length: 103 }, () => ({ kind, id, version, document, reason: 'saved', createdAt }))
  await desk.server.database.db.insert(contentRevision).values(rows)
  const seen: number[] = []
  const lengths: number[] = []
  let before: number | undefined
  for (let more = true; more; ) {
    const page = await desk.get<{ revisions: Revision[]; more: boolean }>('admin-revisions', { kind, id, before })
    seen.push(...page.revisions.map(({ revision }) => revision))
    lengths.push(page.revisions.length)
    before = seen.at(-1)
    more = page.more
  }
  expect(lengths).toEqual([50, 50, 3])
  expect(seen).toEqual([...new Set(seen)].toSorted((a, b) => b - a))
})

test('what somebody writes over after a conflict stays a version of its own, even their own from another tab', async () => {
  const made = await create('Own two tabs')
  const first = (await desk.save(made, drop({ slug: made.id, title: 'first tab' }))).body as unknown as StoredDocument
  const late = await desk.save(made, drop({ slug: made.id, title: 'second tab' }))
  expect(late.status).toBe(409)
  const { kind, id, version } = first
  const document = drop({ slug: made.id, title: 'second tab' })
  await desk.get('admin-save-document', { kind, id, version, document, apart: true })
  const titles = await Promise.all(
    (await revisionsOf(id)).map(async ({ revision }) => {
      const { document } = await desk.get<StoredDocument>('admin-read-revision', { kind, id, revision })
      return 'title' in document && document.title
    }),
  )
  expect(titles).toEqual(['second tab', 'first tab'])
})

test('an earlier text is restored as the newest version, and what was there before stays', async () => {
  const original = await desk.read('issue', 'a-week-of-reviews')
  const { body } = await desk.save(original, { ...original.document, title: 'Spoiled' })
  const spoiled = body as unknown as StoredDocument
  const revisions = await revisionsOf('a-week-of-reviews')
  expect(revisions.map(({ reason, createdBy }) => [reason, createdBy])).toEqual([
    ['saved', 'ann@example.test'],
    ['saved', null],
  ])
  const revision = revisions.at(-1)?.revision
  const name = { kind: 'issue', id: 'a-week-of-reviews' }
  const late = await desk.ask('admin-restore-revision', { ...name, revision, version: original.version })
  expect(late).toMatchObject({ status: 409, body: { code: 'edit_conflict' } })
  const restored = await desk.get<StoredDocument>('admin-restore-revision', {
    ...name,
    revision,
    version: spoiled.version,
  })
  expect(restored.document).toEqual(original.document)
  expect(restored.version).toBe(spoiled.version + 1)
  expect((await reasons('a-week-of-reviews'))[0]).toEqual(['restored', 'ann@example.test'])
  const elsewhere = { kind: 'issue', id: 'follow-up-open-estimates', revision }
  expect((await desk.ask('admin-read-revision', elsewhere)).status).toBe(404)
})

const deskTables = [contentDocument, contentRevision, mailings, segments, suppressions, publicationSettings] as const

test('an editor whose account ends leaves the texts, not the address', async () => {
  const leaver = await buildUser(desk.server, { email: 'leaver@example.test', admin: true })
  const made = await create('Left behind')
  await desk.save(made, drop({ slug: made.id, title: 'Left behind' }), leaver)
  expect(await reasons(made.id)).toEqual([['saved', 'leaver@example.test']])
  const segment = { name: 'Testers', add: [], remove: [] }
  await desk.get('admin-save-segment', segment, leaver)
  await desk.get('admin-create-mailing', { kind: 'news' }, leaver)
  await desk.get('admin-sending-settings', { save: await desk.get('admin-sending-settings', {}) }, leaver)
  const stop = { email: 'reader@example.test', stream: 'all', reason: 'manual' }
  const { id: first } = await desk.get<{ id: number }>('admin-suppress', stop, leaver)
  await desk.get('admin-lift-suppression', { id: first, reason: 'A slip' }, leaver)
  const { db } = desk.server.deps.database
  const written = async () => JSON.stringify(await Promise.all(deskTables.map((table) => db.select().from(table))))
  // In seven places: one a table, and in the suppressions as who made and who lifted it.
  expect((await written()).match(/leaver@example\.test/g)).toHaveLength(7)
  await db.transaction((tx) => redactEditor(tx, leaver.id))
  expect(await written()).not.toContain('leaver@example.test')
  expect(await reasons(made.id)).toEqual([['saved', 'a former editor']])
  expect(await desk.read('issue', made.id)).toMatchObject({
    updatedBy: 'a former editor',
    document: { title: 'Left behind' },
  })
})
