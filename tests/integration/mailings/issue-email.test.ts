import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { unknownReader } from '#shared/domain/reader.ts'
import { drop, openAdmin, section } from '#tests/integration/publishing/support.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const admin = openForTests(async () => {
  const opened = await openAdmin({ config: { publicUrl: 'https://letters.example' } })
  return { ...opened, close: () => opened.server.close() }
})

const till = { id: 'till-counts' }
/** An unpublished drop, as saved. */
async function write(document = drop()) {
  const answer = await admin.ask('admin-read-document', { kind: 'issue', ...till })
  const stored = (answer.status === 200
    ? answer.body
    : await admin.get('admin-create-document', { kind: 'issue', title: 'Till counts' })) as unknown as Parameters<
    typeof admin.save
  >[0]
  expect(await admin.save(stored, document)).toMatchObject({ status: 200 })
}

const finance = { reader: { ...unknownReader, focusAreas: ['Finance'] } }
const sections = [
  section({ id: 'a', heading: 'For the shift', focusAreas: ['Operations'] }),
  section({ id: 'b', heading: 'For the books', focusAreas: ['Finance'] }),
]

test('an unpublished drop can be previewed as an email, in a member’s order', async () => {
  await write(drop({ sections, intro: 'Hello {{first_name|there}}.', editorNote: 'Written before opening.' }))
  const asked = await admin.get('admin-preview-issue-email', { ...till, as: finance })
  expect(asked).toMatchObject({
    subject: 'Till counts',
    headings: ['For the books', 'For the shift'],
    reason: expect.stringContaining('Finance'),
    member: null,
  })
  expect(asked.text).toContain('Written before opening.\n-- The editors of Front Counter\n\nHello there.')
  const member = await admin.get('admin-preview-issue-email', { ...till, as: { userId: admin.reader.id } })
  expect(member).toMatchObject({
    headings: ['For the books', 'For the shift'],
    member: { receives: true, cause: null },
  })
})

test('a test of it goes to one address only, with the postal address at the end', async () => {
  await write()
  await admin.get('admin-test-issue-email', { ...till, to: 'me@example.com', as: finance })
  const [email] = admin.server.outbox.list('me@example.com')
  expect(email?.subject).toBe('[Test] Till counts')
  expect(email?.text).toContain('Sample address')
  expect(admin.server.outbox.list(admin.reader.email)).toEqual([])
})

test('its checks name the position in the draft, and a link to its own page is no error', async () => {
  const { publicUrl } = admin.server.deps.config
  const body = `TODO\n\n[this drop](${publicUrl}/portal/weekly-drops/till-counts)\n[another](${publicUrl}/portal/weekly-drops/nothing)`
  await write(drop({ sections: [section({ body })], editorNote: 'TODO' }))
  const { problems } = await admin.get<{ problems: object[] }>('admin-check-issue-email', till)
  expect(problems.filter((problem) => (problem as { severity: string }).severity === 'error')).toMatchObject([
    { check: 'placeholder', place: 'Editor’s note', target: { in: 'drop', id: 'till-counts', field: 'editorNote' } },
    { check: 'placeholder', place: expect.stringMatching(/^Section 1/) },
    {
      check: 'link',
      message: expect.stringContaining('/nothing wasn’t found'),
      target: { in: 'drop', id: 'till-counts' },
    },
  ])
})

test('an incomplete draft is an email with gaps, and reaches no reader or list', async () => {
  await write(
    drop({ title: '', date: '', preview: '', intro: '', sections: [section({ aiLevel: null, minutes: null })] }),
  )
  const { problems } = await admin.get<{ problems: object[] }>('admin-check-issue-email', till)
  expect(problems).toContainEqual(expect.objectContaining({ severity: 'error', check: 'subject' }))
  expect((await admin.get<{ html: string }>('admin-preview-issue-email', { ...till, as: finance })).html).toContain(
    '<h2',
  )
  expect(await admin.ask('weekly-drop', { slug: 'till-counts' }, admin.reader)).toMatchObject({ status: 404 })
  const { rows } = (await admin.server.database.db.execute(
    sql`select (select count(*)::int from mailings) as mailings, (select count(*)::int from deliveries) as deliveries`,
  )) as unknown as { rows: object[] }
  expect(rows).toEqual([{ mailings: 0, deliveries: 0 }])
})

test('a drop that does not exist has no email', async () => {
  for (const name of ['preview', 'check', 'test']) {
    const body = { id: 'nothing', as: finance, to: 'me@example.com' }
    expect(await admin.ask(`admin-${name}-drop-email`, body)).toMatchObject({ status: 404 })
  }
})
