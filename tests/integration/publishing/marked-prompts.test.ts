import { expect, test } from 'vitest'
import { openBeforeMigration } from '#tests/support/open-before-migration.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const database = openForTests(() => openBeforeMigration('0071_marked_prompts'))

/** Each text before and after. */
const texts = {
  plain: ['No quotation, 3 > 2.', 'No quotation, 3 > 2.'],
  prompt: [
    'Paste:\n\n> For [shop]\nand more.\n>\n> Check.\n\nDone.',
    'Paste:\n\n> [!PROMPT]\n> For [shop]\nand more.\n>\n> Check.\n\nDone.',
  ],
  two: ['> One\n\nthen\n\n> Two', '> [!PROMPT]\n> One\n\nthen\n\n> [!PROMPT]\n> Two'],
  marked: ['> [!COPY]\n> Hello', '> [!COPY]\n> Hello'],
  callout: ['> [!TIP]\n> Count.', '> [!TIP]\n> Count.'],
  inside: ['> [!TIP]\n> Say:\n>\n> > Hi', '> [!TIP]\n> Say:\n>\n> > [!PROMPT]\n> > Hi'],
  numbered: ['> 2. Two', '> [!PROMPT]\n>\n> 2. Two'],
  item: ['- Ask:\n  > Why?', '- Ask:\n  > [!PROMPT]\n  > Why?'],
  code: ['```\n> not a quotation\n```\n\n> A quotation', '```\n> not a quotation\n```\n\n> [!PROMPT]\n> A quotation'],
} as const
const before = Object.fromEntries(Object.entries(texts).map(([name, [text]]) => [name, text]))
const after = Object.fromEntries(Object.entries(texts).map(([name, [, text]]) => [name, text]))

const documentOf = (written: Record<string, string>) => ({
  title: '> a title',
  worth: '',
  intro: written.prompt,
  closing: written.two,
  sections: [{ id: 'a', heading: '> a heading', body: written.inside, examples: written }, { id: 'b' }],
})

const insertDocument = (table: string, id: string, columns: string, values: string) =>
  database.query(
    `insert into ${table} (kind, id, version, document, created_at, ${columns}) values ('issue', $1, 1, $2, now(), ${values})`,
    [id, JSON.stringify(documentOf(before))],
  )

test('every quotation that readers know stays a prompt, and one in an unread imported draft stays a quotation', async () => {
  await database.query(
    `insert into issues (id, slug, title, date, preview, tags, worth, intro, closing, reading_minutes)
      values ('drop', 'drop', '> T', '2026-11-17', '> P', '{}', $1, $2, $3, 1)`,
    [before.item, before.prompt, before.code],
  )
  await database.query(
    `insert into issue_sections (id, issue_id, position, heading, summary, focus_areas, minutes, body, examples)
      values ('s', 'drop', 1, '> H', '> S', '{}', 5, $1, $2)`,
    [before.numbered, JSON.stringify(before)],
  )
  await database.query(
    `insert into content_block (id, title, body, version, updated_at) values ('b', 'B', $1, 1, now())`,
    [before.two],
  )
  for (const [id, published] of [
    ['drop', 1],
    ['imported', null],
    ['draft', null],
  ] as const) {
    await insertDocument('content_document', id, 'updated_at, published_version', `now(), ${published}`)
    await insertDocument('content_revision', id, 'reason', `'saved'`)
  }
  await insertDocument('content_schedule', 'draft', 'publish_at', 'now()')
  await database.query(
    `insert into imported_posts (source, source_id, document_id, imported_at) values ('ghost', '1', 'imported', now())`,
  )

  await database.migrateRest()

  expect(await database.query('select title, preview, worth, intro, closing from issues')).toEqual([
    { title: '> T', preview: '> P', worth: after.item, intro: after.prompt, closing: after.code },
  ])
  expect(await database.query('select heading, summary, body, examples from issue_sections')).toEqual([
    { heading: '> H', summary: '> S', body: after.numbered, examples: after },
  ])
  expect(await database.query('select body from content_block')).toEqual([{ body: after.two }])
  for (const table of ['content_document', 'content_revision']) {
    expect(await database.query(`select id, document from ${table} order by id`)).toEqual([
      { id: 'draft', document: documentOf(after) },
      { id: 'drop', document: documentOf(after) },
      { id: 'imported', document: documentOf(before) },
    ])
  }
  expect(await database.query('select document from content_schedule')).toEqual([{ document: documentOf(after) }])
})
