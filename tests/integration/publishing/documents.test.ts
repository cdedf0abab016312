import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { mailings } from '#server/db/schema/index.ts'
import type { StoredDocument } from '#shared/contracts/publishing/publishing.ts'
import { call } from '#tests/support/client-for.ts'
import { drop, openAdmin, section } from './support.ts'

let admin: Awaited<ReturnType<typeof openAdmin>>
beforeAll(async () => {
  admin = await openAdmin()
})
afterAll(() => admin.server.close())

const create = (title: string, kind = 'issue') => admin.get<StoredDocument>('admin-create-document', { kind, title })
const saved = async (stored: StoredDocument, document: object) =>
  (await admin.save(stored, document)).body as unknown as StoredDocument
const published = async (title: string, given: Parameters<typeof drop>[0] = {}) => {
  const made = await create(title)
  const stored = await saved(made, drop({ title, slug: made.id, ...given }))
  const answer = await admin.publish(stored)
  expect(answer.status).toBe(200)
  return answer.body as unknown as StoredDocument
}
const shown = async (slug: string) => admin.ask('weekly-drop', { slug }, admin.reader)
const listed = async () =>
  (await admin.get<{ issues: { slug: string }[] }>('weekly-drops', {}, admin.reader)).issues.map(({ slug }) => slug)

test('content files are published and can be edited in the admin', async () => {
  const { items: entries } = await admin.get<{ items: { id: string; state: string }[] }>('admin-content', {
    kind: 'issue',
  })
  expect(entries).toHaveLength(12)
  expect(entries.slice(0, 3).map(({ id }) => id)).toEqual([
    'ten-minutes-in-your-close',
    'follow-up-open-estimates',
    'a-week-of-reviews',
  ])
  for (const kind of ['issue', 'prompt-pack', 'guide', 'tool']) {
    const answer = await admin.get<{ items: { id: string; state: string }[] }>('admin-content', { kind })
    for (const { id, state } of answer.items) {
      expect(state).toBe('published')
      const { body } = await admin.ask('admin-preview-document', {
        kind,
        id,
        document: (await admin.read(kind, id)).document,
      })
      expect([id, body.problems]).toEqual([id, []])
    }
  }
})

test('a new drop can be saved incomplete, stays hidden, and lists its problems', async () => {
  const made = await create('Second counts')
  expect(made).toMatchObject({ id: 'second-counts', version: 1, publishedVersion: null, hasBeenPublished: false })
  const half = await saved(made, drop({ slug: made.id, title: '', sections: [section(), section({ heading: '' })] }))
  expect(half.version).toBe(2)
  expect((await shown('second-counts')).status).toBe(404)
  const refused = await admin.publish(half)
  expect(refused).toMatchObject({ status: 422, body: { code: 'not_publishable' } })
  expect(refused.body.problems).toEqual([
    { path: 'title', message: 'The title is missing' },
    { path: 'sections.1.heading', message: 'The heading is missing' },
  ])
  expect(await listed()).not.toContain('second-counts')
})

test('two drops with the same title get different ids', async () => {
  expect([(await create('Twice')).id, (await create('Twice')).id, (await create('???')).id]).toEqual([
    'twice',
    'twice-2',
    'drop',
  ])
})

test('readers see a published version with their next request, on every node', async () => {
  const otherNode = createApp(admin.server.deps)
  const first = await published('At once')
  const read = () => call({ app: otherNode }, 'weekly-drop', { slug: first.id }, admin.reader.token)
  expect(JSON.stringify((await read()).body)).toContain('Count it once before the rush.')
  const next = await saved(
    first,
    drop({ slug: first.id, title: 'At once', sections: [section({ body: 'Count it **twice**.' })] }),
  )
  expect(JSON.stringify((await read()).body)).toContain('before the rush')
  await admin.publish(next)
  expect(JSON.stringify((await read()).body)).toContain('<strong>twice</strong>')
  expect((await listed())[0]).toBe(first.id)
})

test('unpublishing hides a drop everywhere, and publishing brings it back', async () => {
  const stored = await published('Hidden later')
  const node = createApp(admin.server.deps)
  await call({ app: node }, 'weekly-drop', { slug: stored.id }, admin.reader.token)
  await admin.get('admin-unpublish-document', { kind: 'issue', id: stored.id })
  expect((await shown(stored.id)).status).toBe(404)
  expect((await call({ app: node }, 'weekly-drop', { slug: stored.id }, admin.reader.token)).status).toBe(404)
  expect(await listed()).not.toContain(stored.id)
  for (const table of ['issues', 'issue_sections', 'content_document', 'content_revision']) {
    const answer = await admin.server.request(`/rest/v1/${table}?select=*`, { headers: admin.reader.headers })
    expect([table, answer.status]).toEqual([table, 404])
  }
  const again = await admin.publish(stored)
  expect(again.body).toMatchObject({ publishedVersion: stored.version })
  expect(await listed()).toContain(stored.id)
})

test('an unpublished drop doesn’t count in recommendations', async () => {
  const labels = async () =>
    (
      await admin.get<{ recommendations: { labels: string[] } }>(
        'personalize-content',
        { contentType: 'weekly-drops' },
        admin.reader,
      )
    ).recommendations.labels
  const visible = await admin.get<{ issues: { id: string; tags: string[] }[] }>('weekly-drops', {}, admin.reader)
  const about = visible.issues.filter(({ tags }) => tags.includes('Finance'))
  expect(await labels()).toEqual(['Drops about Finance are at the top because you chose this topic'])
  for (const { id } of about) await admin.get('admin-unpublish-document', { kind: 'issue', id })
  expect(await labels()).toEqual(['No drops about Finance yet; new ones will move to the top'])
  for (const { id } of about) await admin.publish(await admin.read('issue', id))
})

test('unpublished packs, guides and tools disappear from lists and downloads', async () => {
  const before = await admin.get<{ url: string }>('download-guide', { id: 'ai-use-policy' }, admin.reader)
  const { pathname } = new URL(before.url)
  expect((await admin.server.request(pathname)).status).toBe(200)
  for (const [kind, id, list] of [
    ['guide', 'ai-use-policy', 'guides'],
    ['tool', 'canva', 'tools'],
    ['prompt-pack', 'sales', 'prompt-packs'],
  ] as const) {
    expect(JSON.stringify((await admin.ask(list, {}, admin.reader)).body)).toContain(`"${id}"`)
    await admin.get('admin-unpublish-document', { kind, id })
    expect(JSON.stringify((await admin.ask(list, {}, admin.reader)).body)).not.toContain(`"${id}"`)
  }
  expect((await admin.server.request(pathname)).status).toBe(404)
  expect((await admin.ask('download-guide', { id: 'ai-use-policy' }, admin.reader)).status).toBe(404)
  const { recommendations } = await admin.get<{ recommendations: { priorityCategories: string[] } }>(
    'personalize-content',
    { contentType: 'prompt-packs' },
    admin.reader,
  )
  expect(recommendations.priorityCategories).not.toContain('sales')
  await admin.publish(await admin.read('guide', 'ai-use-policy'))
  expect((await admin.server.request(pathname)).status).toBe(200)
})

test('a published slug can’t change, and two drops never share one', async () => {
  const stored = await published('Fixed address')
  const moved = await saved(stored, drop({ slug: 'elsewhere', title: 'Fixed address' }))
  expect((await admin.publish(moved)).body.problems).toEqual([
    { path: 'slug', message: 'Already published as “fixed-address”, so the address can’t change' },
  ])
  const other = await create('Other')
  const taken = await saved(other, drop({ slug: 'fixed-address' }))
  expect((await admin.publish(taken)).body.problems).toEqual([
    { path: 'slug', message: 'Another drop has this address' },
  ])
})

test('unpublishing a drop with scheduled mailings fails until each of them is acknowledged', async () => {
  const stored = await published('Scheduled twice')
  const { id } = await admin.get<{ id: string }>('admin-create-mailing', { kind: 'issue', issueId: stored.id })
  const at = new Date(admin.server.clock.now.getTime() + 86_400_000).toISOString()
  await admin.get('admin-send-mailing', { id, version: 1, at })
  const digest = crypto.randomUUID()
  const now = new Date()
  const content = { sections: [{ path: `/portal/weekly-drops/${stored.id}#one` }] }
  await admin.server.database.db.insert(mailings).values([
    {
      id: digest,
      kind: 'digest',
      subject: 'November',
      preheader: '',
      status: 'scheduled',
      audience: {},
      content,
      scheduledAt: new Date(Date.parse(at) + 1),
      createdAt: now,
      updatedAt: now,
    },
  ])
  const waiting = [
    { id, subject: 'Scheduled twice', scheduledAt: at },
    { id: digest, subject: 'November', scheduledAt: expect.any(String) },
  ]
  expect(await admin.get('admin-scheduled-mailings', { id: stored.id })).toEqual({ items: waiting })
  const unpublish = (acknowledgedMailings?: string[]) =>
    admin.ask('admin-unpublish-document', { kind: 'issue', id: stored.id, acknowledgedMailings })
  for (const known of [undefined, [id]]) {
    expect(await unpublish(known)).toMatchObject({
      status: 409,
      body: { code: 'mailing_scheduled', mailings: waiting },
    })
  }
  expect(await listed()).toContain(stored.id)
  expect(await unpublish([id, digest])).toMatchObject({ status: 200 })
  expect(await listed()).not.toContain(stored.id)
})

test('a draft can be deleted, but not once it was published', async () => {
  const made = await create('Never shown')
  await admin.get('admin-delete-documents', { kind: 'issue', ids: [made.id] })
  expect((await admin.ask('admin-read-document', { kind: 'issue', id: made.id })).status).toBe(404)
  const stored = await published('Shown once')
  await admin.get('admin-unpublish-document', { kind: 'issue', id: stored.id })
  const kept = await admin.get('admin-delete-documents', { kind: 'issue', ids: [stored.id] })
  expect(kept).toEqual({ deleted: [] })
})

test('the blocks of a drop are checked with it; a wrong sum is a warning, which doesn’t stop publishing', async () => {
  const body = '2 × 2 = 5\n\nSee [the guide](/portal/guides#gone).'
  await admin.get('admin-save-block', { id: 'sums', version: 0, title: 'Sums', body })
  const made = await create('With a block')
  const stored = await saved(made, drop({ slug: made.id, title: 'With a block', intro: 'Count.\n\n{{block:sums}}' }))
  expect((await admin.publish(stored)).body.problems).toEqual([
    { path: 'intro', message: expect.stringContaining('There is no guide “gone”') },
  ])
  await admin.get('admin-save-block', { id: 'sums', version: 1, title: 'Sums', body: '2 × 2 = 5' })
  const preview = await admin.get('admin-preview-document', { kind: 'issue', id: made.id, document: stored.document })
  expect(preview.problems).toEqual([
    {
      path: 'intro',
      message: 'In the block “sums”: “2 × 2 = 5” is wrong: the result is 4',
      severity: 'warning',
    },
  ])
  expect((await admin.publish(stored)).status).toBe(200)
})

test('a new pack, guide or tool goes to the end of its list', async () => {
  const tool = await create('Ledger Lens', 'tool')
  const filled = await saved(tool, {
    name: 'Ledger Lens',
    category: 'Finance',
    rating: 4.2,
    verdict: 'For owners who read their own numbers.',
    description: 'Reads a statement.',
    useCase: 'Find what changed.',
    goodFor: ['Monthly checks'],
    watchOut: ['It guesses.'],
    url: 'https://ledger.example',
    testedOn: '2026-11-18',
  })
  const early = await saved(filled, { ...filled.document, testedOn: '2999-01-01' })
  expect((await admin.publish(early)).body.problems).toEqual([
    { path: 'testedOn', message: 'The date is in the future' },
  ])
  expect((await admin.publish(await saved(early, filled.document))).status).toBe(200)
  const { tools } = await admin.get<{ tools: { id: string; testedOn: string }[] }>('tools', {}, admin.reader)
  expect(tools.at(-1)).toMatchObject({ id: tool.id, testedOn: '2026-11-18', rating: 4.2 })

  const pack = await create('Service', 'prompt-pack')
  const prompt = {
    id: 'p1',
    title: 'Say sorry',
    when: 'After a slip',
    level: 'beginner',
    dataLabel: 'none',
    checks: ['Read it aloud.'],
    body: 'Write [notes: what happened].',
  }
  await admin.publish(await saved(pack, { title: 'Service', summary: 'For the counter.', prompts: [prompt] }))
  const { categories } = await admin.get<{ categories: object[] }>('prompt-packs', {}, admin.reader)
  expect(categories.at(-1)).toMatchObject({ id: 'service', count: 1, prompts: [prompt] })
  const twin = await create('Twin', 'prompt-pack')
  const stolen = await saved(twin, { title: 'Twin', summary: 'x', prompts: [prompt] })
  expect((await admin.publish(stolen)).body.problems).toMatchObject([{ path: 'prompts.0.title' }])
})

test('an out-of-range number is saved as typed, previewed, and rejected at publishing', async () => {
  const tool = await admin.read('tool', 'canva')
  for (const [rating, message] of [
    [7, 'The rating must be between 0 and 5'],
    [-1, 'The rating must be between 0 and 5'],
    [4.85, 'The rating has more than one decimal'],
  ] as const) {
    const now = await admin.read('tool', 'canva')
    const stored = await saved(now, { ...now.document, rating })
    expect(stored.document).toMatchObject({ rating })
    expect(await admin.publish(stored)).toMatchObject({
      status: 422,
      body: { problems: [{ path: 'rating', message }] },
    })
  }
  await saved(await admin.read('tool', 'canva'), tool.document)

  const made = await create('Out of range')
  for (const minutes of [-3, 0, 2.5, 4_000]) {
    const document = drop({ slug: made.id, sections: [section({ minutes })] })
    expect(await admin.get('admin-preview-document', { kind: 'issue', id: made.id, document })).toMatchObject({
      issue: { sections: [{ heading: 'Count the till twice' }] },
      problems: [{ path: 'sections.0.minutes', message: 'The minutes must be a whole number from 1 to 999' }],
    })
  }
})

test('odd characters and ids never cause a server error', async () => {
  const made = await create('Odd')
  const odd = drop({ slug: made.id, intro: 'null\0 half \ud800 pair', title: '𝔻' })
  const stored = await saved(made, odd)
  expect(stored.document).toMatchObject({ intro: 'null half \ufffd pair', title: '𝔻' })
  for (const id of ['', '..', 'a/b', 'x'.repeat(200), '\0']) {
    expect((await admin.ask('admin-read-document', { kind: 'issue', id })).status).toBe(400)
  }
  expect((await admin.ask('admin-read-document', { kind: 'drop', id: 'x' })).status).toBe(400)
  const guide = await admin.read('guide', 'ai-use-policy')
  for (const fileVersion of [2 ** 31, 2 ** 53, 0.5, -1]) {
    expect((await admin.save(guide, { ...guide.document, fileVersion })).status).toBe(400)
  }
  for (const version of [2 ** 31 - 1, 2 ** 31, 2 ** 53]) {
    expect((await admin.ask('admin-save-block', { id: 'x', version, title: 'x', body: 'x' })).status).toBe(400)
  }
  expect((await admin.ask('admin-save-document', { kind: 'tool', id: 'x', version: 1, document: drop() })).status).toBe(
    400,
  )
})
