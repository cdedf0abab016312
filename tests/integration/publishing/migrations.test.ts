import { expect, test } from 'vitest'
import { openBeforeMigration } from '#tests/support/open-before-migration.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const database = openForTests(() => openBeforeMigration('0029_section_ids'))

const documentOf = (...ids: string[]) => JSON.stringify({ sections: ids.map((id) => ({ id, heading: `About ${id}` })) })

async function addIssue(id: string, headings: readonly string[]) {
  await database.query(
    `insert into issues (id, slug, title, date, preview, tags, intro, closing, reading_minutes)
      values ($1, $1, 'T', '2026-11-17', 'P', '{}', 'I', 'C', 1)`,
    [id],
  )
  for (const [index, heading] of headings.entries()) {
    await database.query(
      `insert into issue_sections (issue_id, position, heading, summary, focus_areas, ai_level, minutes, body)
        values ($1, $2, $3, 'S', '{}', 'beginner', 5, 'B')`,
      [id, index + 1, heading],
    )
  }
}
const addDocument = (id: string, document: string, version: number, published: number | null) =>
  database.query(
    `insert into content_document (kind, id, document, version, published_version, created_at, updated_at)
      values ('drop', $1, $2, $3, $4, now(), now())`,
    [id, document, version, published],
  )
const addRevision = (id: string, document: string, version: number, reason: string) =>
  database.query(
    `insert into content_revision (kind, id, version, document, reason, created_at) values ('drop', $1, $2, $3, $4, now())`,
    [id, version, document, reason],
  )

test('data of an earlier version gets section ids that are unique across issues, and today’s names', async () => {
  await addIssue('seeded', ['About section-1', 'About section-2'])
  await addDocument('seeded', documentOf('section-1', 'section-2'), 1, 1)

  // Published with two sections; a third was added before them since.
  await addIssue('edited', ['About section-1', 'About kept'])
  await addDocument('edited', documentOf('newer', 'section-1', 'kept'), 3, 2)
  await addRevision('edited', documentOf('section-1'), 1, 'saved')
  await addRevision('edited', documentOf('section-1', 'kept'), 2, 'published')
  await database.query(
    `insert into content_schedule (kind, id, version, document, publish_at, created_at)
      values ('drop', 'edited', 3, $1, now(), now())`,
    [documentOf('newer', 'section-1')],
  )

  await addIssue('unpublished', ['About section-1'])
  await addDocument('unpublished', documentOf('other', 'section-1'), 5, null)
  await addRevision('unpublished', documentOf('section-1'), 4, 'published')

  // A draft without sections, and an issue from before documents existed.
  await addDocument('empty', documentOf(), 1, null)
  await addIssue('old', ['First', 'Second'])

  await database.query(
    `insert into auth.audit_log_entries (id, payload, created_at) values (gen_random_uuid(), $1, now())`,
    [JSON.stringify({ action: 'content_published', object: { kind: 'drop', id: 'seeded', name: 'T' } })],
  )
  await database.query(`insert into seed_state (name, hash) values ('order of guide', 'made here')`)

  await database.migrateRest()

  const rows = await database.query('select issue_id, heading, id from issue_sections order by issue_id, position')
  expect(rows.filter(({ issue_id }) => issue_id !== 'old').map(({ heading, id }) => [heading, id])).toEqual([
    ['About section-1', 'edited--section-1'],
    ['About kept', 'kept'],
    ['About section-1', 'seeded--section-1'],
    ['About section-2', 'seeded--section-2'],
    ['About section-1', 'unpublished--section-1'],
  ])
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)

  const idsIn = async (table: string) =>
    (
      await database.query(
        `select id, (select coalesce(jsonb_agg(s ->> 'id'), '[]') from jsonb_array_elements(document -> 'sections') s) as ids
          from ${table} order by id, version`,
      )
    ).map(({ id, ids }) => [id, ids])
  expect(await idsIn('content_document')).toEqual([
    ['edited', ['newer', 'edited--section-1', 'kept']],
    ['empty', []],
    ['seeded', ['seeded--section-1', 'seeded--section-2']],
    ['unpublished', ['other', 'unpublished--section-1']],
  ])
  expect(await idsIn('content_revision')).toEqual([
    ['edited', ['edited--section-1']],
    ['edited', ['edited--section-1', 'kept']],
    ['unpublished', ['unpublished--section-1']],
  ])
  expect(await idsIn('content_schedule')).toEqual([['edited', ['newer', 'edited--section-1']]])

  for (const table of ['content_document', 'content_revision', 'content_schedule']) {
    expect([table, await database.query(`select distinct kind from ${table}`)]).toEqual([table, [{ kind: 'issue' }]])
  }
  expect(await database.query('select payload from auth.audit_log_entries')).toEqual([
    { payload: { action: 'content_published', object: { kind: 'issue', id: 'seeded', name: 'T' } } },
  ])
  expect(await database.query('select name from seed_state')).toEqual([{ name: 'custom-order:guide' }])
})
