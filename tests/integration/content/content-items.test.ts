import { and, asc, eq, isNull } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { contentItems } from '#server/db/schema/index.ts'
import type { IssueDraft, PromptPackDraft } from '#shared/contracts/publishing/documents.ts'
import type { StoredDocument } from '#shared/contracts/publishing/publishing.ts'
import type { ContentKind } from '#shared/domain/content-items.ts'
import { openBeforeMigration } from '#tests/support/open-before-migration.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { drop, openAdmin, section } from '../publishing/support.ts'

const admin = openForTests(async () => {
  const opened = await openAdmin()
  return { ...opened, close: () => opened.server.close() }
})

const itemsOf = (kind: ContentKind, parentId?: string) =>
  admin.server.database.db
    .select()
    .from(contentItems)
    .where(and(eq(contentItems.kind, kind), parentId === undefined ? undefined : eq(contentItems.parentId, parentId)))
    .orderBy(asc(contentItems.id))
const itemOf = async (kind: ContentKind, id: string) => (await itemsOf(kind)).find((item) => item.id === id)
const create = (kind: string, title: string) => admin.get<StoredDocument>('admin-create-document', { kind, title })
const saveAndPublish = async (stored: Pick<StoredDocument, 'kind' | 'id' | 'version'>, document: object) => {
  const { body: saved } = await admin.save(stored, document)
  const published = await admin.publish(saved as unknown as StoredDocument)
  expect(published, JSON.stringify(published.body)).toMatchObject({ status: 200 })
  return published.body as unknown as StoredDocument
}

test('every published issue, section, prompt, guide and tool is an item with its page and anchor', async () => {
  expect((await itemsOf('issue')).length).toBe(12)
  expect((await itemsOf('prompt')).length).toBe(57)
  expect((await itemsOf('guide')).length).toBe(4)
  expect((await itemsOf('tool')).length).toBe(14)
  expect(await itemOf('section', 'a-week-of-reviews--sort-by-hand')).toMatchObject({
    title: 'Sort by hand before you write',
    path: '/portal/weekly-drops/a-week-of-reviews#sort-by-hand',
    parentId: 'a-week-of-reviews',
    removedAt: null,
    version: 1,
  })
  expect(await itemOf('prompt', 'sales-catering-outreach')).toMatchObject({
    path: '/portal/prompt-packs#sales-catering-outreach',
    parentId: 'sales',
  })
  expect((await itemOf('tool', 'chatgpt'))?.path).toBe('/portal/tools#chatgpt')
  expect((await itemOf('guide', 'ai-use-policy'))?.path).toBe('/portal/guides#ai-use-policy')
})

test('a removed section keeps its row, and publishing it again brings it back', async () => {
  const [a, b] = ['item-a', 'item-b'].map((id) => section({ id, heading: `About ${id}` }))
  const made = await create('issue', 'Items')
  const document = drop({ slug: made.id, title: 'Items' })
  const first = await saveAndPublish(made, { ...document, sections: [a, b] })
  admin.server.clock.advance(60_000)
  const second = await saveAndPublish(first, { ...document, sections: [b] })
  expect((await itemsOf('section', made.id)).map(({ id, removedAt }) => [id, removedAt])).toEqual([
    ['item-a', admin.server.clock.now],
    ['item-b', null],
  ])
  await saveAndPublish(second, { ...document, sections: [a, b] })
  expect((await itemsOf('section', made.id)).map(({ removedAt, version }) => [removedAt, version])).toEqual([
    [null, 1],
    [null, 1],
  ])
})

test('unpublishing a drop, pack, guide or tool removes all of its items and no others', async () => {
  const countRemaining = () => admin.server.database.db.$count(contentItems, isNull(contentItems.removedAt))
  const before = await countRemaining()
  for (const [kind, id, items] of [
    ['issue', 'holiday-hiring', 1 + (await itemsOf('section', 'holiday-hiring')).length],
    ['prompt-pack', 'sales', 15],
    ['guide', 'ai-use-policy', 1],
    ['tool', 'canva', 1],
  ] as const) {
    await admin.get('admin-unpublish-document', { kind, id })
    expect(before - (await countRemaining())).toBe(items)
    await admin.publish(await admin.read(kind, id))
    expect(await countRemaining()).toBe(before)
  }
})

test('a change of the text increases the version; publishing the same text does not', async () => {
  const stored = await admin.read('prompt-pack', 'marketing')
  const document = stored.document as PromptPackDraft
  const [first, second] = document.prompts
  if (!first || !second) throw new Error('the pack has no prompts')
  admin.server.clock.advance(60_000)
  const changed = { ...first, body: `${first.body}\nOne more line.` }
  await saveAndPublish(stored, { ...document, prompts: [second, changed, ...document.prompts.slice(2)] })
  expect(await itemOf('prompt', first.id)).toMatchObject({ version: 2, changedAt: admin.server.clock.now })
  expect(await itemOf('prompt', second.id)).toMatchObject({ version: 1 })
})

test('a quotation that is marked as a prompt, and a callout, are published; the mark alone is no new version', async () => {
  const made = await create('issue', 'Quotations')
  const document = drop({ slug: made.id, title: 'Quotations' })
  let stored: Pick<StoredDocument, 'kind' | 'id' | 'version'> = made
  for (const [quoted, version] of [
    ['> Write [sic].\n\n> [!TIP]\n> Count.', 1],
    ['> [!PROMPT]\n> Write to [role].\n\n> [!TIP]\n> Count.', 2],
    ['> Write to [role].\n\n> [!TIP]\n> Count.', 2],
    ['> [!COPY]\n>\n> Write to [role].\n\n> [!TIP]\n> Count.', 2],
    ['> [!COPY]\n> Write to [role] today.\n\n> [!TIP]\n> Count.', 3],
  ] as const) {
    stored = await saveAndPublish(stored, { ...document, sections: [section({ id: 'quoted', body: quoted })] })
    expect((await itemOf('section', 'quoted'))?.version, quoted).toBe(version)
  }
})

test('a draft and a scheduled version change no item', async () => {
  const stored = await admin.read('issue', 'local-ad-reimbursement')
  const { body } = await admin.save(stored, { ...(stored.document as IssueDraft), title: 'Later' })
  const saved = body as unknown as StoredDocument
  const at = new Date(admin.server.clock.now.getTime() + 3_600_000).toISOString()
  await admin.get('admin-schedule-document', {
    kind: saved.kind,
    id: saved.id,
    version: saved.version,
    at,
  })
  expect((await itemOf('issue', saved.id))?.title).not.toBe('Later')
})

test('the migration fills the table from an existing database, without what is unpublished', async () => {
  const earlier = await openBeforeMigration('0033_content_items')
  try {
    const addIssue = (id: string, publishedAt: string | null) =>
      earlier.query(
        `insert into issues (id, slug, title, date, preview, tags, intro, closing, reading_minutes, published_at)
          values ($1, 'slug-of-' || $1, 'T', '2026-11-17', 'P', '{}', 'I', 'C', 1, $2)`,
        [id, publishedAt],
      )
    await addIssue('out', '2026-11-17T10:00:00Z')
    await addIssue('hidden', null)
    for (const id of ['out', 'hidden']) {
      await earlier.query(
        `insert into issue_sections (id, issue_id, position, heading, summary, focus_areas, ai_level, minutes, body)
          values ($1, $2, 1, 'H', 'S', '{}', 'beginner', 5, 'B')`,
        [`${id}--first-step`, id],
      )
    }
    await earlier.migrateRest()
    expect(
      await earlier.query(
        'select kind, id, title, path, parent_id, removed_at, version from content_items order by kind',
      ),
    ).toEqual([
      {
        kind: 'issue',
        id: 'out',
        title: 'T',
        path: '/portal/weekly-drops/slug-of-out',
        parent_id: null,
        removed_at: null,
        version: 1,
      },
      {
        kind: 'section',
        id: 'out--first-step',
        title: 'H',
        path: '/portal/weekly-drops/slug-of-out#first-step',
        parent_id: 'out',
        removed_at: null,
        version: 1,
      },
    ])
  } finally {
    await earlier.close()
  }
})
