import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fetchNothing } from '#server/features/operations/post-import/fetch-file.ts'
import type { openPostThread } from '#server/features/operations/post-import/open-post-thread.ts'
import { createPostThreadCalls } from '#server/features/operations/post-import/post-thread-calls.ts'
import { postImportSteps } from '#server/features/operations/post-import/run-post-import.ts'
import { createFindRedirect } from '#server/features/publishing/site-settings/find-redirect.ts'
import type { PostImport, PostImportItem } from '#shared/contracts/operations/post-imports.ts'
import { openAdmin } from '#tests/integration/publishing/support.ts'
import { caseCount } from '#tests/support/case-count.ts'
import { continueRuns } from '#tests/support/continue-runs.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { ghostExport, png, zipOf } from './support.ts'

const desk = openForTests(async () => ({
  ...(await openAdmin({ now: new Date('2026-11-28T10:00:00Z') })),
  close: async () => {},
}))
const openFile: typeof openPostThread = async (path, name) => {
  const calls = createPostThreadCalls(path, name)
  return { ...calls, ...(await calls.list()), close: async () => {} }
}
const run = () =>
  continueRuns(desk.server.deps, postImportSteps({ ...desk.server.deps, fetchFile: fetchNothing, openFile }))

/** What the check says of each post, and what publishing them did. */
async function publishFile(name: string, file: Buffer | string) {
  desk.server.clock.advance(1_000)
  const { body } = await desk.upload('admin-upload-posts', { name }, Buffer.from(file))
  const id = String(body.id)
  await run()
  const items = async () => (await desk.get<{ items: PostImportItem[] }>('admin-post-import-items', { id })).items
  const checked = await items()
  await desk.get('admin-start-post-import', { id, publish: true })
  await run()
  const [{ status }] = (await desk.get<{ items: [PostImport] }>('admin-post-imports', {})).items
  expect(status).toBe('finished')
  return { checked, imported: await items() }
}

const addressesIn = (text: string) =>
  [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = '']) => new URL(address).pathname)

/** Everything that visitors, crawlers and feed readers get. */
async function crawl(): Promise<Map<string, string>> {
  desk.server.clock.advance(1_001)
  const get = async (path: string) => {
    const answer = await desk.server.request(path, { headers: { Accept: 'text/html' } })
    return answer.text()
  }
  const drops = addressesIn(await get('/sitemap.xml')).filter((path) => path.startsWith('/drops'))
  const paths = [...drops, ...drops.map((path) => `${path}.md`), '/feed.xml', '/feed.json', '/llms.txt', '/sitemap.xml']
  return new Map(await Promise.all(paths.map(async (path) => [path, await get(path)] as const)))
}

const fixture = (name: string) => readFileSync(new URL(`./files/${name}`, import.meta.url), 'utf8')

test('an imported publication shows visitors nothing that was closed, and all that was open', {
  timeout: 60_000,
}, async () => {
  const { checked, imported } = await publishFile('export.json', fixture('ghost-6.65-paywalls-and-audiences.json'))
  const substack = await zipOf({
    'posts.csv': [
      'post_id,post_date,is_published,email_sent_at,inbox_sent_at,type,audience,title,subtitle,podcast_url',
      ...['only_paid', 'founding', 'only_free', 'everyone', 'ONLY_PAID'].map(
        (audience, index) =>
          `${index}.sub-${index},2024-05-07T10:00:00.000Z,true,,,newsletter,${audience},Sub ${index},About it,`,
      ),
      '5.sub-5,2024-05-07T10:00:00.000Z,true,,,newsletter,only_paid,Sub 5,About it,',
      '6.sub-6,2024-05-07T10:00:00.000Z,true,,,adhoc_email,everyone,SECRET email,About it,',
    ].join('\n'),
    ...Object.fromEntries(
      [0, 1, 2, 4, 6].map((index) => [
        `posts/${index}.sub-${index}.html`,
        '<p>SECRET one.</p><h2>SECRET two</h2><p>SECRET.</p>',
      ]),
    ),
    'posts/3.sub-3.html': '<p>Sub open one.</p><h2>Sub open two</h2><p>Sub open three.</p>',
    'posts/5.sub-5.html':
      '<p>Sub teaser.</p><div class="paywall-jump" data-component-name="PaywallToDOM"></div><p>SECRET.</p>',
  })
  await publishFile('substack.zip', substack)
  await publishFile(
    'posts.zip',
    await zipOf({
      'a.md': '---\ndate: 2024-01-01\ntitle: Paid file\nvisibility: paid\n---\nSECRET one.\n\n## SECRET two\n\nSECRET.',
      'b.md':
        '---\ndate: 2024-01-01\ntitle: Open file\nvisibility: public\n---\nFile open one.\n\n## File open two\n\nFile open three.',
      'c.md': '---\ndate: 2024-01-01\ntitle: Silent file\n---\n![A till](till.png)\n\nSECRET one.',
      'till.png': png,
    }),
  )
  const pages = await crawl()
  for (const [path, text] of pages) expect(text.match(/SECRET[\w-]*/g), path).toBeNull()
  const feed = pages.get('/feed.xml') ?? ''
  for (const words of [
    ...['Free teaser one', 'First free part', 'Free teaser two', 'Open words', 'More open words', 'Free words'],
    ...['Public opening', 'Public end', 'More public words', 'FREE-ONLY-UPSELL', 'More words', 'Public words'],
    ...[
      'Sub open one',
      'Sub open two',
      'Sub open three',
      'Sub teaser',
      'File open one',
      'File open two',
      'File open three',
    ],
  ]) {
    expect(
      [...pages].some(([path, text]) => path.startsWith('/drops/') && text.includes(words)),
      words,
    ).toBe(true)
    expect(feed).toContain(words)
  }
  const readersOf = (items: PostImportItem[]) =>
    Object.fromEntries(items.map(({ title, readers, result }) => [title, [readers, result]]))
  expect(readersOf(imported)).toMatchObject({
    'Paid, no divider': ['members', 'published'],
    'Members only': ['members', 'published'],
    'Gated blocks in a public post': ['part', 'published'],
    'Draft post': ['everyone', 'imported'],
  })
  expect(imported.map(({ readers }) => readers)).toEqual(checked.map(({ readers }) => readers))
  expect(imported.at(-1)).toMatchObject({
    result: 'imported',
    notes: expect.arrayContaining(['Stays a draft: it was only sent by email']),
  })
  // Members get all of it.
  const { issue } = await desk.get<{ issue: object }>('weekly-drop', { slug: 'lesson-a' }, desk.reader)
  expect(JSON.stringify(issue)).toMatch(/SECRET-A1.*SECRET-A2.*SECRET-A3/)
})

describe('The check', () => {
  test('says of each post what the import does', { timeout: 120_000 }, async () => {
    const post = fc.record({
      status: fc.constantFrom('published', 'draft', 'scheduled', 'sent', 'archived', null),
      visibility: fc.constantFrom('public', 'paid', 'members', 'tiers', 'label:x', 'none', null),
      published_at: fc.constantFrom('2025-06-30 15:35:36', '2027-06-30 15:35:36', null, 'soon'),
      title: fc.constantFrom('Notes', 'Notes', 'A {{first_name}} title', '', '日本'),
      slug: fc.constantFrom('notes', 'a-week-of-reviews', '', 'nötes'),
      html: fc.constantFrom(
        '<p>Text.</p>',
        '<p>See the step below. 2 + 2 = 5. TODO</p><h2>One</h2><p>Text</p>',
        '<p>{{block:no-such-block}}</p>',
        '<p>See <a href="/portal/weekly-drops/no-such">this</a>.</p><p>Two</p>',
        '<img src="/content/images/missing.png"><p>Text</p>',
        '<p><img src="/content/images/there.png"></p><h2></h2><p>Text</p>',
        '<p>Text.</p><img src="/content/images/there.png"><img src="/content/images/missing.png" alt="x">',
        '<img src="https://a.example/far.png">',
        '<p>Open</p><!--members-only--><p>Closed</p>',
        '',
      ),
    })
    let count = 0
    const exported = fc.array(post, { minLength: 1, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(exported, async (posts) => {
        count += 1
        const json = ghostExport(posts.map((given, index) => ({ ...given, id: `check-${count}-${index % 9}` })))
        const file = await zipOf({ 'export.json': json, 'content/images/there.png': png })
        const { checked, imported } = await publishFile('export.zip', file)
        const reasonOf = ({ notes }: PostImportItem) => notes.filter((note) => note.startsWith('Stays a draft'))
        const told = checked.map((item) => [
          item.result === 'failed' ? 'failed' : reasonOf(item).length > 0 ? 'imported' : 'published',
          ...[item.readers, ...reasonOf(item)],
        ])
        expect(told).toEqual(imported.map((item) => [item.result, item.readers, ...reasonOf(item)]))
      }),
      { numRuns: caseCount(8, 60, 'POST_IMPORTS') },
    )
  })
})

test('of WordPress, private, protected and members’ texts reach no visitor, and old addresses lead to the drops', {
  timeout: 60_000,
}, async () => {
  const xml = readFileSync(new URL('../../../docs/samples/wordpress.xml', import.meta.url))
  const { checked, imported } = await publishFile('wordpress.xml', xml)
  const results = (items: readonly PostImportItem[]) =>
    items.map(({ title, result, readers }) => [title, result, readers])
  expect(results(checked).slice(0, 4)).toEqual([
    ['Counting & closing', 'new', 'part'],
    ['Old habits', 'new', 'part'],
    ['For the team', 'new', 'everyone'],
    ['Wages', 'new', 'everyone'],
  ])
  expect(imported.map(({ result }) => result)).toEqual([
    ...['published', 'published', 'imported', 'imported', 'failed', 'failed'],
  ])
  const seen = [...(await crawl()).values()].join('\n')
  expect(seen).toContain('Count twice')
  for (const closed of ['of our own till', 'members paid for', 'alarm code', 'What everyone earns']) {
    expect(seen).not.toContain(closed)
  }
  const findRedirect = createFindRedirect(desk.server.deps)
  expect((await findRedirect('/2025/06/counting-and-closing/'))?.to).toBe('/drops/counting-and-closing')
})
