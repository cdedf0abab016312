import { expect, test } from 'vitest'
import type { FullIssue } from '#shared/contracts/library/issues.ts'
import type { IssueDraft } from '#shared/contracts/publishing/documents.ts'
import type { StoredDocument } from '#shared/contracts/publishing/publishing.ts'
import { unknownReader } from '#shared/domain/reader.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { openAdmin } from './support.ts'

const admin = openForTests(async () => {
  const opened = await openAdmin({ now: new Date('2026-11-24T10:00:00Z') })
  return { ...opened, close: () => opened.server.close() }
})

const text = 'Most till differences are **slips**, not theft.\n\nCount the drawer twice and write down who did.'

/** A drop as "New drop" makes it, with a title and a text and nothing else. */
async function write(title: string, body: string, change: Partial<IssueDraft['sections'][number]> = {}) {
  const made = await admin.get<StoredDocument>('admin-create-document', { kind: 'issue', title: '' })
  const draft = made.document as IssueDraft
  const sections = draft.sections.map((section) => ({ ...section, body, ...change }))
  const answer = await admin.save(made, { ...draft, title, date: '2026-11-24', sections })
  return answer.body as unknown as StoredDocument
}

const page = async (path: string) => {
  admin.server.clock.advance(1_001)
  const answer = await admin.server.request(path, { headers: { Accept: 'text/html' } })
  return { status: answer.status, html: await answer.text() }
}

test('a title and a text are enough: members read the text, and all else comes from it', async () => {
  const stored = await write('Two-minute till count', text)
  expect(await admin.publish(stored)).toMatchObject({
    status: 200,
    body: { document: { slug: 'two-minute-till-count', preview: '', tags: [] } },
  })
  const { issue } = await admin.get<{ issue: FullIssue }>(
    'weekly-drop',
    { slug: 'two-minute-till-count' },
    admin.reader,
  )
  expect(issue).toMatchObject({
    title: 'Two-minute till count',
    // The text begins with it, so the page doesn't repeat it above.
    preview: '',
    tags: [],
    readingMinutes: 1,
    introHtml: '',
    worthHtml: '',
    closingHtml: '',
    question: '',
    checkedOn: null,
    sections: [{ heading: '', summary: '', minutes: 1, kind: null, aiLevel: null }],
  })
  expect(issue.sections[0]?.html).toContain('<strong>slips</strong>')
  const { issues } = await admin.get<{ issues: { preview: string }[] }>('weekly-drops', {}, admin.reader)
  expect(issues[0]?.preview).toBe('Most till differences are slips, not theft.')
  const found = await admin.get<object>('search', { query: 'drawer slips' }, admin.reader)
  expect(JSON.stringify(found)).toContain('Two-minute till count')
})

test('its email is the title and the text, without empty headings, facts or a table of contents', async () => {
  const { id } = await write('A plain email', text)
  const sent = await admin.get<{ html: string; text: string }>('admin-preview-issue-email', {
    id,
    as: { reader: { ...unknownReader, focusAreas: ['Finance'] } },
  })
  expect(sent.text).toContain('Count the drawer twice and write down who did.')
  expect(sent.html).not.toMatch(/<h2|<h\d[^>]*><\/h\d>/)
  expect(sent.html).not.toMatch(/In this drop|0 min|\d min|What it’s worth|One question/)
  expect(sent.html.match(/<hr/g)?.length).toBeLessThanOrEqual(2)
  const { problems } = await admin.get<{ problems: { severity: string }[] }>('admin-check-issue-email', { id })
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
})

test('free readers get its preview and what members got, and the public page says the same', async () => {
  const stored = await write('For members only', text)
  await admin.publish(stored)
  const free = await admin.get<{ text: string }>('admin-preview-issue-email', {
    id: stored.id,
    as: { reader: unknownReader, free: true },
  })
  const { status, html } = await page('/drops/for-members-only')
  expect(status).toBe(200)
  expect(html).toContain('Members read the full text')
  expect(html).not.toContain('Count the drawer twice')
  expect(html).not.toMatch(/<h2[^>]*><\/h2>|<ul><\/ul>|0 min/)
  expect(free.text).toContain('Most till differences')
  expect(free.text).toContain('Members got the full text of this drop.')
  expect(free.text).not.toContain('Count the drawer twice')
})

test('a text that is open to everyone is on the public page in full', async () => {
  await admin.publish(await write('For everyone', text, { openToEveryone: true }))
  const { html } = await page('/drops/for-everyone')
  expect(html).toContain('Count the drawer twice')
  expect(html).not.toContain('Members read the full text')
  expect(html).not.toContain('class="lead"')
  expect(html).not.toMatch(/<h2[^>]*><\/h2>/)
})

test('two drops with the same title get different addresses, and each keeps its own', async () => {
  const first = await write('Notes', text)
  const second = await write('Notes', text)
  await admin.publish(first)
  const { body } = await admin.publish(second)
  expect(body).toMatchObject({ document: { slug: 'notes-2' } })
  const renamed = await admin.save(second, { ...second.document, title: 'Notes of the week' })
  expect(await admin.publish(renamed.body as unknown as StoredDocument)).toMatchObject({
    status: 200,
    body: { document: { slug: 'notes-2' } },
  })
})

test('without a title or without a text it isn’t published', async () => {
  const untitled = await write('', text)
  expect((await admin.publish(untitled)).body.problems).toEqual([{ path: 'title', message: 'The title is missing' }])
  const unwritten = await write('No text yet', ' ')
  expect((await admin.publish(unwritten)).body.problems).toEqual([
    { path: 'sections.0.body', message: 'The text is missing' },
  ])
})

test('New drop opens the one that is still empty, and a second editor gets another', async () => {
  const create = (who = admin.ann) =>
    admin.get<StoredDocument>('admin-create-document', { kind: 'issue', title: '' }, who)
  const first = await create()
  expect((await create()).id).toBe(first.id)
  expect((await create(admin.ben)).id).not.toBe(first.id)
  await admin.save(first, { ...first.document, title: 'Written' })
  expect((await create()).id).not.toBe(first.id)
  expect(await admin.ask('admin-create-document', { kind: 'tool', title: '' })).toMatchObject({ status: 400 })
})
