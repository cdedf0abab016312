import { asc, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { mergeDrafts } from '#client/features/publishing/documents/merge-drafts.ts'
import { editSource, sourceOfSections } from '#client/features/publishing/documents/section-source.ts'
import { issueSections, prompts, seedState } from '#server/db/schema/index.ts'
import { seedContent } from '#server/seed/seed-content.ts'
import type { FullIssue } from '#shared/contracts/library/issues.ts'
import { emptyPrompt, type IssueDraft, type PromptPackDraft } from '#shared/contracts/publishing/documents.ts'
import type { StoredDocument } from '#shared/contracts/publishing/publishing.ts'
import type { SavedItem } from '#shared/contracts/reader/saved.ts'
import type { ReadTry } from '#shared/contracts/reader/tries.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { drop, openAdmin, section } from './support.ts'

const admin = openForTests(async () => {
  const opened = await openAdmin()
  return { ...opened, close: () => opened.server.close() }
})

const create = (kind: string, title: string) => admin.get<StoredDocument>('admin-create-document', { kind, title })
const saveAndPublish = async (stored: StoredDocument, document: object) => {
  const { body: saved } = await admin.save(stored, document)
  const published = await admin.publish(saved as unknown as StoredDocument)
  expect(published, JSON.stringify(published.body)).toMatchObject({ status: 200 })
  return published.body as unknown as StoredDocument
}
const sectionsOf = async (issueId: string) =>
  (
    await admin.server.database.db
      .select({ id: issueSections.id, heading: issueSections.heading })
      .from(issueSections)
      .where(eq(issueSections.issueId, issueId))
      .orderBy(asc(issueSections.position))
  ).map(({ id, heading }) => [id, heading])
const promptsOf = async (categoryId: string) =>
  (
    await admin.server.database.db
      .select({ id: prompts.id, title: prompts.title })
      .from(prompts)
      .where(eq(prompts.categoryId, categoryId))
      .orderBy(asc(prompts.position))
  ).map(({ id, title }) => [id, title])

test('sections keep their ids when they are edited, moved and republished', async () => {
  const [a, b, c] = ['a', 'b', 'c'].map((id) => section({ id: `count-${id}`, heading: `Count ${id}` }))
  const made = await create('issue', 'Counts')
  const document = drop({ slug: made.id, title: 'Counts' })
  const first = await saveAndPublish(made, { ...document, sections: [a, b, c] })
  // References to a row survive only if the row itself does.
  await admin.server.database.db.execute('create table reference (id text references issue_sections on delete cascade)')
  await admin.server.database.db.execute('insert into reference select id from issue_sections')

  const second = await saveAndPublish(first, { ...document, sections: [c, { ...a, heading: 'Count again' }] })
  expect(await sectionsOf(made.id)).toEqual([
    ['count-c', 'Count c'],
    ['count-a', 'Count again'],
  ])
  await admin.get('admin-unpublish-document', { kind: 'issue', id: made.id })
  const third = await saveAndPublish(await admin.read('issue', made.id), {
    ...document,
    sections: [section({ id: 'count-new' }), a, c],
  })
  expect((await sectionsOf(made.id)).map(([id]) => id)).toEqual(['count-new', 'count-a', 'count-c'])
  const { issue } = await admin.get<{ issue: FullIssue }>('weekly-drop', { slug: made.id }, admin.reader)
  expect(issue.sections.map(({ id }) => id)).toEqual(['count-new', 'count-a', 'count-c'])

  const { items: revisions } = await admin.get<{ items: { revision: number; version: number }[] }>('admin-revisions', {
    kind: 'issue',
    id: made.id,
  })
  const revision = revisions.find(({ version }) => version === second.version)?.revision
  const restored = await admin.get<StoredDocument>('admin-restore-revision', {
    kind: 'issue',
    id: made.id,
    revision,
    version: third.version,
  })
  await admin.publish(restored)
  expect((await sectionsOf(made.id)).map(([id]) => id)).toEqual(['count-c', 'count-a'])
  const { rows } = (await admin.server.database.db.execute(
    `select id from reference where id like 'count-%' order by id`,
  )) as unknown as { rows: { id: string }[] }
  expect(rows.map(({ id }) => id)).toEqual(['count-a', 'count-c'])
  await admin.server.database.db.execute('drop table reference')
})

test('what readers saved and answered follows the larger part of a split section, and a move', async () => {
  const [fair, tips] = [
    section({ id: 'split-fair', heading: 'Fair shifts', body: 'Short.\n\nThe much longer part about shifts.' }),
    section({ id: 'split-tips', heading: 'Tips', body: 'Share them.' }),
  ]
  const made = await create('issue', 'Split')
  const document = drop({ slug: made.id, title: 'Split' })
  let published = await saveAndPublish(made, { ...document, sections: [fair, tips] })
  const at = admin.server.clock.now.toISOString()
  for (const id of ['split-fair', 'split-tips']) {
    await admin.get('save-item', { kind: 'section', id, saved: true, at }, admin.reader)
    await admin.get(
      'record-try',
      { kind: 'section', id, outcome: 'worked', minutesPerWeek: 5, note: '', shared: false, at },
      admin.reader,
    )
  }
  const saved = async () => {
    const { items } = await admin.get<{ items: SavedItem[] }>('saved-items', { kind: 'section' }, admin.reader)
    return items.filter(({ id }) => id.startsWith('split-')).map(({ id, title, path }) => [id, title, path !== null])
  }
  const answerOf = async (id: string) => {
    const { title, answer } = await admin.get<ReadTry>('read-try', { kind: 'section', id }, admin.reader)
    return [title, answer?.outcome]
  }
  const before = sourceOfSections([fair, tips])
  const edit = async (text: string) => {
    const { sections } = editSource(before, text)
    published = await saveAndPublish(published, { ...document, sections })
    return sections
  }
  const split = await edit(before.text.replace('Short.\n\n', 'Short.\n\n## Longer\n\n'))
  expect(split.map(({ heading }) => heading)).toEqual(['Fair shifts', 'Longer', 'Tips'])
  expect(split.map(({ id }) => id).slice(1)).toEqual(['split-fair', 'split-tips'])
  expect((await saved()).toSorted()).toEqual([
    ['split-fair', 'Longer', true],
    ['split-tips', 'Tips', true],
  ])
  expect(await answerOf('split-fair')).toEqual(['Longer', 'worked'])

  // Moved to the front.
  published = await saveAndPublish(published, { ...document, sections: [tips, fair] })
  expect(await answerOf('split-fair')).toEqual(['Fair shifts', 'worked'])

  await edit(before.text.replace('## Tips', 'Tips'))
  expect((await saved()).toSorted()).toEqual([
    ['split-fair', 'Fair shifts', true],
    ['split-tips', 'Tips', false],
  ])
  expect(await answerOf('split-fair')).toEqual(['Fair shifts', 'worked'])

  // Undone: what was saved of the smaller one is back.
  await edit(before.text)
  expect((await saved()).toSorted()).toEqual([
    ['split-fair', 'Fair shifts', true],
    ['split-tips', 'Tips', true],
  ])
  expect(await answerOf('split-tips')).toEqual(['Tips', 'worked'])
})

test('prompts keep their ids when they are edited, moved and republished', async () => {
  const prompt = (id: string) => ({
    ...emptyPrompt(id),
    title: id,
    when: 'At noon',
    level: 'beginner' as const,
    dataLabel: 'none' as const,
    checks: ['Read it aloud.'],
    body: 'Write.',
  })
  const [a, b, c] = [prompt('prompt-a'), prompt('prompt-b'), prompt('prompt-c')]
  const pack = { title: 'Service', summary: 'For the counter.' }
  const made = await create('prompt-pack', 'Service')
  const first = await saveAndPublish(made, { ...pack, prompts: [a, b, c] })
  const countRows = () => admin.server.database.db.$count(prompts, eq(prompts.categoryId, made.id))
  expect(await countRows()).toBe(3)
  await admin.server.database.db.execute('create table reference (id text references prompts on delete cascade)')
  await admin.server.database.db.execute(`insert into reference select id from prompts where id like 'prompt-%'`)

  await saveAndPublish(first, { ...pack, prompts: [c, { ...a, title: 'Edited' }] })
  await admin.get('admin-unpublish-document', { kind: 'prompt-pack', id: made.id })
  await admin.publish(await admin.read('prompt-pack', made.id))
  expect(await promptsOf(made.id)).toEqual([
    ['prompt-c', 'prompt-c'],
    ['prompt-a', 'Edited'],
  ])
  const { rows } = (await admin.server.database.db.execute('select id from reference order by id')) as unknown as {
    rows: { id: string }[]
  }
  expect(rows.map(({ id }) => id)).toEqual(['prompt-a', 'prompt-c'])
  await admin.server.database.db.execute('drop table reference')
})

test('a merge of two editors’ texts keeps the ids of both', async () => {
  const made = await create('issue', 'Two tabs')
  const base = drop({ slug: made.id, sections: [section({ id: 'shared' })] })
  const first = await saveAndPublish(made, base)
  const theirs = { ...base, sections: [section({ id: 'theirs' }), ...base.sections] }
  const { body } = await admin.save(first, theirs, admin.ben)
  const mine: IssueDraft = { ...base, sections: [section({ id: 'shared', heading: 'Mine' }), section({ id: 'mine' })] }
  await saveAndPublish(body as unknown as StoredDocument, mergeDrafts(base, mine, theirs))
  const ids = (await sectionsOf(made.id)).map(([id]) => id)
  expect(ids.toSorted()).toEqual(['mine', 'shared', 'theirs'])
})

test('a duplicate id, or one that another drop or pack has, is refused at publishing', async () => {
  const twice = await create('issue', 'Twice in one')
  const twins = [section({ id: 'twin' }), section({ id: 'twin', heading: 'Again' })]
  const { body: saved } = await admin.save(twice, drop({ slug: twice.id, sections: twins }))
  expect((await admin.publish(saved as unknown as StoredDocument)).body.problems).toEqual([
    {
      path: 'sections.1.heading',
      message: 'This section is already published elsewhere. Remove it here, then add it again.',
    },
  ])
  const [seeded] = await sectionsOf('a-week-of-reviews')
  const stolen = await create('issue', 'Stolen')
  const { body } = await admin.save(stolen, drop({ slug: stolen.id, sections: [section({ id: seeded?.[0] })] }))
  expect((await admin.publish(body as unknown as StoredDocument)).body.problems).toMatchObject([
    { path: 'sections.0.heading' },
  ])
})

test('content files give the same ids at every start, for readers and in the editor', async () => {
  const before = [await sectionsOf('a-week-of-reviews'), await promptsOf('sales')]
  expect(before[0]?.map(([id]) => id)).toContain('a-week-of-reviews--sort-by-hand')
  const idsInEditor = async () => {
    const issue = (await admin.read('issue', 'a-week-of-reviews')).document as IssueDraft
    const pack = (await admin.read('prompt-pack', 'sales')).document as PromptPackDraft
    return [issue.sections.map(({ id }) => id), pack.prompts.map(({ id }) => id)]
  }
  const idsIn = (lists: typeof before) => lists.map((list) => list.map(([id]) => id))
  expect(await idsInEditor()).toEqual(idsIn(before))
  await admin.server.database.db.update(seedState).set({ hash: 'of other files' }).where(eq(seedState.name, 'content'))
  expect(await seedContent(admin.server.deps)).toBe(true)
  expect([await sectionsOf('a-week-of-reviews'), await promptsOf('sales')]).toEqual(before)
  expect(await idsInEditor()).toEqual(idsIn(before))
})
