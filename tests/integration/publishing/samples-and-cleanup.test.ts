import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { contentItems, contentRevision, seedState } from '#server/db/schema/index.ts'
import { purgeDeletedDocuments } from '#server/features/publishing/documents/deleted-documents.ts'
import { seedContent } from '#server/seed/seed-content.ts'
import type { SampleCounts } from '#shared/contracts/publishing/content-cleanup.ts'
import type { IssueDraft } from '#shared/contracts/publishing/documents.ts'
import type { ContentEntry, StoredDocument } from '#shared/contracts/publishing/publishing.ts'
import { drop, openAdmin } from './support.ts'

let admin: Awaited<ReturnType<typeof openAdmin>>
const opened: (typeof admin)[] = []
beforeEach(async () => {
  admin = await openAdmin()
  opened.push(admin)
})
afterAll(() => Promise.all(opened.map(({ server }) => server.close())))

const list = async (kind = 'issue') => (await admin.get<{ items: ContentEntry[] }>('admin-content', { kind })).items
const idsOf = async (kind = 'issue') => (await list(kind)).map(({ id }) => id)
const samples = (name = 'admin-sample-content') => admin.get<SampleCounts>(name, {})
const readers = async () => {
  const { issues } = await admin.get<{ issues: { id: string }[] }>('weekly-drops', {}, admin.reader)
  return issues.map(({ id }) => id)
}
async function write(title: string, change: Partial<IssueDraft> = {}) {
  const made = await admin.get<StoredDocument>('admin-create-document', { kind: 'issue', title })
  const { body } = await admin.save(made, drop({ slug: '', title, ...change }))
  return body as unknown as StoredDocument
}

describe('Sample content', () => {
  test('is removed as a whole, except what the publisher wrote or edited, and put back as it was', async () => {
    const before = await readers()
    const [edited = '', touched = ''] = before
    const own = await write('Our own drop')
    await admin.publish(own)
    const sample = await admin.read('issue', edited)
    await admin.save(sample, { ...sample.document, question: 'Ours?' })
    await admin.get('admin-unpublish-document', { kind: 'issue', id: touched })

    const { shown } = await samples()
    expect(shown).toBeGreaterThan(20)
    expect(await samples('admin-remove-samples')).toEqual({ shown: 0, removed: shown, inUse: 0 })
    expect(await readers()).toEqual([own.id, edited])
    expect((await idsOf()).toSorted()).toEqual([edited, own.id, touched].toSorted())
    expect(await idsOf('tool')).toEqual([])
    expect(await idsOf('prompt-pack')).toEqual([])

    expect(await samples('admin-restore-samples')).toEqual({ shown, removed: 0, inUse: 0 })
    expect((await readers()).toSorted()).toEqual([own.id, ...before.filter((id) => id !== touched)].toSorted())
    expect((await idsOf('tool')).length).toBeGreaterThan(0)
    expect(await admin.read('tool', 'canva')).toMatchObject({ hasBeenPublished: true, updatedBy: null })
  })

  test('a second click and a second tab change nothing more', async () => {
    const [first, second] = await Promise.all([samples('admin-remove-samples'), samples('admin-remove-samples')])
    expect([first.shown, second.shown]).toEqual([0, 0])
    const removed = await samples('admin-remove-samples')
    expect(removed.removed).toBe(first.removed)
    const log = await admin.get<{ items: { event: string }[] }>('admin-audit-log', { limit: 200 })
    expect(log.items.filter(({ event }) => event === 'samples_removed')).toHaveLength(1)
    await Promise.all([samples('admin-restore-samples'), samples('admin-restore-samples')])
    expect(await samples('admin-restore-samples')).toMatchObject({ removed: 0, shown: first.removed })
  })

  test('a removed sample that was edited is the publisher’s draft, and isn’t published by putting samples back', async () => {
    await samples('admin-remove-samples')
    const sample = await admin.read('tool', 'canva')
    await admin.save(sample, { ...sample.document, verdict: 'Ours now.' })
    await samples('admin-restore-samples')
    expect((await list('tool')).find(({ id }) => id === 'canva')).toMatchObject({ state: 'draft' })
    const { tools } = await admin.get<{ tools: { id: string }[] }>('tools', {}, admin.reader)
    expect(tools.map(({ id }) => id)).not.toContain('canva')
  })

  test('items stay known, so that what readers saved keeps its place, and open again once the samples are back', async () => {
    const { db } = admin.server.database
    const kept = await db.$count(contentItems)
    await samples('admin-remove-samples')
    expect(await db.$count(contentItems)).toBe(kept)
    expect(
      await db.$count(contentItems, sql`${contentItems.kind} = 'tool' and ${contentItems.removedAt} is null`),
    ).toBe(0)
    await samples('admin-restore-samples')
    expect(
      await db.$count(contentItems, sql`${contentItems.kind} = 'tool' and ${contentItems.removedAt} is null`),
    ).toBeGreaterThan(0)
  })

  test('a new release of the samples doesn’t bring removed ones back', async () => {
    const { db } = admin.server.database
    await samples('admin-remove-samples')
    await db.update(seedState).set({ hash: 'earlier' }).where(eq(seedState.name, 'content'))
    expect(await seedContent(admin.server.deps)).toBe(true)
    expect(await readers()).toEqual([])
    expect(await samples()).toMatchObject({ shown: 0 })
  })

  test('a sample that is scheduled or was emailed stays', async () => {
    const [used = ''] = await readers()
    const stored = await admin.read('issue', used)
    const at = new Date(admin.server.clock.now.getTime() + 86_400_000).toISOString()
    await admin.get('admin-schedule-document', { kind: 'issue', id: used, version: stored.version, at })
    expect(await samples('admin-remove-samples')).toMatchObject({ shown: 0, inUse: 1 })
    expect(await readers()).toEqual([used])
  })

  test('the public pages work without any content', async () => {
    await samples('admin-remove-samples')
    admin.server.clock.advance(1_001)
    for (const path of ['/drops', '/feed.xml', '/sitemap.xml', '/llms.txt']) {
      expect([path, (await admin.server.request(path, { headers: { Accept: 'text/html' } })).status]).toEqual([
        path,
        200,
      ])
    }
  })
})

describe('Several drops at once', () => {
  test('drafts are deleted together and restored with their text and versions; published ones stay', async () => {
    const [one, two, out] = [await write('One'), await write('Two'), await write('Out')]
    await admin.publish(out)
    const ids = [one.id, two.id, out.id]
    expect(await admin.get('admin-delete-documents', { kind: 'issue', ids })).toEqual({
      deleted: [one.id, two.id].toSorted(),
    })
    expect(await admin.get('admin-delete-documents', { kind: 'issue', ids })).toEqual({ deleted: [] })
    expect(await idsOf()).not.toContain(one.id)
    const deleted = await admin.get<{ items: object[] }>('admin-deleted-documents', { kind: 'issue' })
    expect(deleted.items).toMatchObject([{ title: 'Two' }, { title: 'One' }])

    // A new draft of the same name must not take over their versions.
    expect((await write('One')).id).toBe('one-2')
    expect(await admin.get('admin-restore-documents', { kind: 'issue', ids })).toEqual({
      restored: [one.id, two.id].toSorted(),
    })
    expect(await admin.get('admin-restore-documents', { kind: 'issue', ids })).toEqual({ restored: [] })
    const restored = await admin.read('issue', one.id)
    expect(restored.document).toMatchObject({ title: 'One', intro: 'Most differences are slips.' })
    expect((await admin.publish(restored)).status).toBe(200)
    expect(await admin.get('admin-deleted-documents', { kind: 'issue' })).toEqual({ items: [] })
  })

  test('a draft that was deleted a month ago is gone for good', async () => {
    const { db } = admin.server.database
    const { id } = await write('Gone')
    await admin.get('admin-delete-documents', { kind: 'issue', ids: [id] })
    await purgeDeletedDocuments(admin.server.deps)
    expect(await db.$count(contentRevision, eq(contentRevision.id, id))).toBeGreaterThan(0)
    admin.server.clock.advance(31 * 86_400_000)
    await purgeDeletedDocuments(admin.server.deps)
    expect(await db.$count(contentRevision, eq(contentRevision.id, id))).toBe(0)
  })

  test('tags are added and removed; what is published as it is gets them at once, an edited draft doesn’t', async () => {
    const [out, changed] = [await write('Out'), await write('Changed')]
    await admin.publish(out)
    await admin.publish(changed)
    await admin.save(changed, { ...changed.document, title: 'Not yet' })
    const ids = [out.id, changed.id]
    const change = { ids, add: ['Operations'], remove: ['Finance'] }
    expect(await admin.get('admin-tag-drops', change)).toEqual({ changed: ids.toSorted() })
    expect(await admin.get('admin-tag-drops', change)).toEqual({ changed: [] })
    const { issues } = await admin.get<{ issues: { id: string; title: string; tags: string[] }[] }>(
      'weekly-drops',
      {},
      admin.reader,
    )
    expect(issues.find(({ id }) => id === out.id)).toMatchObject({ tags: ['Operations'] })
    expect(issues.find(({ id }) => id === changed.id)).toMatchObject({ title: 'Changed', tags: ['Finance'] })
    expect((await admin.read('issue', changed.id)).document).toMatchObject({ title: 'Not yet', tags: ['Operations'] })
  })
})
