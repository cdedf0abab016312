import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq, gt, sql } from 'drizzle-orm'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { queryRows } from '#server/db/database.ts'
import {
  comment,
  commentAuthor,
  contentDocument,
  importedPosts,
  issues,
  mediaImage,
  postImports,
  userRoles,
  users,
} from '#server/db/schema/index.ts'
import { createFetchFile } from '#server/features/operations/post-import/fetch-file.ts'
import { openPostThread } from '#server/features/operations/post-import/open-post-thread.ts'
import { deleteOldPostFiles, uploadPosts } from '#server/features/operations/post-import/post-imports.ts'
import { createPostThreadCalls } from '#server/features/operations/post-import/post-thread-calls.ts'
import { postImportSteps } from '#server/features/operations/post-import/run-post-import.ts'
import { PostFileError } from '#server/features/operations/post-import/source-post.ts'
import { continueRun } from '#server/jobs/runs.ts'
import { partKey } from '#server/media/object-key.ts'
import { partBytes } from '#server/media/parts.ts'
import type { PostImport, PostImportItem } from '#shared/contracts/operations/post-imports.ts'
import type { IssueDraft } from '#shared/contracts/publishing/documents.ts'
import { publicationDefaults } from '#shared/publication-defaults.ts'
import { openAdmin } from '#tests/integration/publishing/support.ts'
import { buildUser } from '#tests/support/build-user.ts'
import { caseCount } from '#tests/support/case-count.ts'
import { continueRuns } from '#tests/support/continue-runs.ts'
import { dyingAfter, Killed, scattered } from '#tests/support/dying-database.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { ghostExport, png, startImageServer, substackExport, zipOf } from './support.ts'

const desk = openForTests(async () => ({ ...(await openAdmin()), close: async () => {} }))
const images = openForTests(startImageServer)

const local = () =>
  createFetchFile({ isAllowed: (address) => address === '127.0.0.1', anyPort: true, maxBytes: 1_000_000 })
/** Runs in this thread, since another takes a second to start. */
const openHere: typeof openPostThread = async (path, name) => {
  const calls = createPostThreadCalls(path, name)
  return { ...calls, ...(await calls.list()), close: async () => {} }
}
const deps = (fetchFile = local()) => ({ ...desk.server.deps, fetchFile, openFile: openHere })
const run = (fetchFile = local()) => continueRuns(desk.server.deps, postImportSteps(deps(fetchFile)))

async function upload(name: string, file: Buffer | string) {
  // The newest is listed first.
  desk.server.clock.advance(1_000)
  const { status, body } = await desk.upload('admin-upload-posts', { name }, Buffer.from(file))
  return { status, body, id: String(body.id) }
}

const latest = async () => (await desk.get<{ items: PostImport[] }>('admin-post-imports', {})).items[0] as PostImport
const itemsOf = async (id: string) =>
  (await desk.get<{ items: PostImportItem[] }>('admin-post-import-items', { id })).items

/** Uploads, checks and imports a file. */
async function importFile(name: string, file: Buffer | string, publish = false, siteAddress?: string) {
  const { id } = await upload(name, file)
  await run()
  const checked = { import: await latest(), items: await itemsOf(id) }
  if (checked.import.status === 'checked') {
    await desk.get('admin-start-post-import', { id, publish, siteAddress })
    await run()
  }
  return { id, checked, import: await latest(), items: await itemsOf(id) }
}

const draftOf = async (id: string | null | undefined) => (await desk.read('issue', id ?? '')).document as IssueDraft

beforeAll(() => {
  desk.server.clock.now = new Date('2026-11-21T10:00:00Z')
})

afterEach(async () => {
  await desk.server.database.db.delete(postImports)
  await desk.server.database.db.delete(importedPosts)
  await desk.server.database.db.delete(comment)
})

describe('Ghost’s comments', () => {
  const sample = () => readFileSync(new URL('../../../docs/samples/ghost-comments.json', import.meta.url))
  const stored = async (issueId: string | null | undefined) =>
    desk.server.database.db
      .select()
      .from(comment)
      .where(eq(comment.issueId, issueId ?? ''))
      .orderBy(comment.createdAt)

  test('become answers with their dates, states and authors; a repeat adds nothing, also what was deleted since', async () => {
    const ana = await buildUser(desk.server, { email: 'ana@example.test' })
    const { checked, items } = await importFile('export.json', sample())
    expect(checked.items[0]?.notes).toContain('Answers in the file: 7')
    const notes = [
      'Imported 5 answers, replies included',
      'By people without a confirmed or imported account here, shown as “A reader”: 2 answers',
      'Left out: 1 answer deleted at the source',
      'Left out: 1 answer to something that isn’t in the file',
    ]
    expect(items[0]?.notes).toEqual(expect.arrayContaining(notes))
    const rows = await stored(items[0]?.documentId)
    expect(rows).toMatchObject([
      {
        ...{ state: 'visible', userId: ana.id, parentId: null, createdAt: new Date('2025-07-01T07:30:00Z') },
        text: 'We count **twice**: [our list](https://example.test/list).\n\n> Before the rush',
        editedAt: new Date('2025-07-01T08:00:00Z'),
      },
      { state: 'visible', userId: null, parentId: rows[0]?.id, text: 'So do we.' },
      { state: 'hidden', userId: null, text: 'Buy my course.' },
      { state: 'deleted', userId: null, text: '' },
      { state: 'visible', userId: ana.id, parentId: rows[3]?.id },
    ])
    expect(await desk.server.database.db.select().from(commentAuthor)).toMatchObject([
      { userId: ana.id, name: 'Ana, Oak Avenue' },
    ])
    await desk.server.database.db.delete(comment).where(eq(comment.userId, ana.id))
    const again = await importFile('export.json', sample())
    expect(again.items).toMatchObject([{ result: 'known', notes: ['Its answers were imported before'] }])
    expect(await stored(items[0]?.documentId)).toHaveLength(3)
  })

  test('come later, too, if the posts were imported from a file without them', async () => {
    const whole = JSON.parse(sample().toString()) as { db: { data: Record<string, object[]> }[] }
    const without = structuredClone(whole)
    delete without.db[0]?.data.comments
    await importFile('export.json', JSON.stringify(without))
    const { items } = await importFile('export.json', JSON.stringify(whole))
    expect(items).toMatchObject([
      { result: 'known', notes: expect.arrayContaining(['Imported 5 answers, replies included']) },
    ])
  })

  test('that are broken, twice there or reply in a circle cost themselves only', async () => {
    const whole = JSON.parse(sample().toString()) as { db: { data: { comments: Record<string, unknown>[] } }[] }
    const comments = whole.db[0]?.data.comments ?? []
    const [first] = comments
    comments.push(
      { ...first },
      { id: 'x' },
      { ...first, id: 'own', parent_id: 'own' },
      { ...first, id: 'later', created_at: 'soon' },
    )
    comments.push({ ...first, id: 'strange', status: 'flagged', member_id: null })
    const { items } = await importFile('export.json', JSON.stringify(whole))
    expect(items[0]?.notes).toContain('Imported 6 answers, replies included')
    expect((await stored(items[0]?.documentId)).filter(({ state }) => state === 'hidden')).toHaveLength(2)
  })
})

describe('Ghost', () => {
  const html = () => `<p>Before the <strong>rush</strong>.</p><script>alert(1)</script>
    <h2 id="count">Count twice</h2><p onclick="x()">One <a href="javascript:alert(1)">bad</a> and one <a href="https://example.test/a_(b)">good</a> link.</p>
    <figure class="kg-card kg-image-card"><img src="__GHOST_URL__/content/images/2025/06/full-till.png" alt="A [full] till" onerror="x()"></figure>
    <figure class="kg-card kg-bookmark-card"><a class="kg-bookmark-container" href="https://example.test/page"><div class="kg-bookmark-title">A page</div></a></figure>
    <h2>And then</h2><table><thead><tr><th>A</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>
    <img src="${images.url('/photo.png')}"><img src="${images.url('/missing.png')}" alt="Gone">`

  test('a zip file becomes drafts with sections, images and notes; a repeat adds nothing', async () => {
    const zip = await zipOf({
      'ghost/export.json': ghostExport([
        {
          html: html(),
          custom_excerpt: 'In short.',
          feature_image: '__GHOST_URL__/content/images/2025/06/full-till.png',
        },
        { status: 'draft', published_at: null, title: 'Later' },
        { type: 'page', title: 'About' },
      ]),
      'ghost/content/images/2025/06/full-till.png': png,
    })
    const done = await importFile('export.zip', zip)
    expect(done.checked.import).toMatchObject({ status: 'checked', source: 'ghost', counts: { new: 2, failed: 1 } })
    expect(done.items[2]).toMatchObject({
      title: 'About',
      result: 'failed',
      notes: ['It’s a page. Add it under Settings → Pages'],
    })
    expect(done.checked.items[0]?.notes).toEqual(
      expect.arrayContaining([
        'Removed: a script',
        'Removed: a link that only works at the source',
        'Images and files to fetch from other servers: 2',
        'Tags that aren’t focus areas: News & Weather',
      ]),
    )
    expect(done.import).toMatchObject({ status: 'finished', counts: { imported: 2, published: 0 } })
    const [first, second] = done.items
    const draft = await draftOf(first?.documentId)
    expect(draft).toMatchObject({
      title: 'Post 1',
      slug: 'post-1',
      date: '2025-06-30',
      preview: 'In short.',
      tags: ['Marketing'],
    })
    expect(draft.intro).toMatch(/^!\[A full till\]\(\/media\/[0-9a-f]{64}\.png#1x1\)\n\nBefore the \*\*rush\*\*\.$/)
    expect(draft.sections.map(({ heading }) => heading)).toEqual(['Count twice', 'And then'])
    expect(draft.sections[0]?.body).toContain('One bad and one [good](https://example.test/a_%28b%29) link.')
    expect(draft.sections[0]?.body).toContain('[A page](https://example.test/page)')
    expect(draft.sections[1]?.body).toMatch(/^\| A +\|/m)
    expect(JSON.stringify(draft)).not.toMatch(/script|onclick|onerror|GHOST_URL/)
    expect(first?.notes).toContain(`Image not imported: ${images.url('/missing.png')} (the server responded with 404)`)
    expect(await draftOf(second?.documentId)).toMatchObject({ title: 'Later', date: '' })

    const documents = await desk.server.database.db.$count(contentDocument)
    const again = await importFile('export.zip', zip)
    expect(again.import.counts).toMatchObject({ known: 2, imported: 0 })
    expect(await desk.server.database.db.$count(contentDocument)).toBe(documents)
  })

  test('posts that were published are published with their date, if asked', async () => {
    const json = ghostExport([
      { title: 'Ask for reviews', slug: 'ask-for-reviews', html: '<p>Ask.</p><p>Every time.</p>' },
    ])
    const done = await importFile('export.json', json, true)
    expect(done.import.counts).toMatchObject({ published: 1 })
    const [issue] = await desk.server.database.db.select().from(issues).where(eq(issues.slug, 'ask-for-reviews'))
    expect(issue).toMatchObject({ date: '2025-06-30', publishedAt: new Date('2025-06-30T15:35:36Z') })
    expect(desk.server.outbox.list()).toEqual([])
  })

  test('images that the file lacks are fetched from the old site, and from no other host', async () => {
    const lacking = (id: string) =>
      ghostExport([
        {
          id,
          html: ['__GHOST_URL__/content/images/a.png', '/missing.png', '/redirect']
            .map((address) => `<p><img src="${address}" alt="Till"></p>`)
            .join(''),
        },
      ])
    const before = images.asked.length
    const without = await importFile('export.json', lacking('no-site'))
    expect(without.checked.items[0]?.notes).toContain(
      'Images and files that aren’t in the file: 3. Enter your old site’s address to fetch them',
    )
    expect(without.items[0]?.notes).toContain(
      'Image not imported: /missing.png (it isn’t in the file; add it in the editor)',
    )
    expect(images.asked.length).toBe(before)
    const { items } = await importFile('export.json', lacking('site'), false, images.url('/'))
    expect(images.asked.slice(before)).toEqual(['/content/images/a.png', '/missing.png', '/redirect'])
    expect(JSON.stringify(await draftOf(items[0]?.documentId))).toMatch(/!\[Till\]\(\/media\//)
    expect(items[0]?.notes).toEqual(
      expect.arrayContaining([
        'Image not imported: /missing.png (the server responded with 404)',
        'Image not imported: /redirect (the server responded with 302)',
      ]),
    )
  })

  test('authors are noted', async () => {
    const { db } = JSON.parse(ghostExport([{}, { author_id: '2' }]))
    const users = [
      { id: '1', name: 'Ada' },
      { id: 2, name: 'Bo' },
    ]
    const posts_authors = [
      { post_id: '6000', author_id: '2', sort_order: 1 },
      { post_id: '6000', author_id: '1', sort_order: 0 },
    ]
    Object.assign(db[0].data, { users, posts_authors })
    const { items } = await importFile('export.json', JSON.stringify({ db }))
    expect(items[0]?.notes).toContain('Author at the source: Ada, Bo')
    expect(items[1]?.notes).toContain('Author at the source: Bo')
    const markdown = await importFile('a.md', '---\nauthors: [{ name: Cy }, Di]\n---\nText.')
    expect(markdown.items[0]?.notes).toContain('Author at the source: Cy, Di')
  })

  test('broken JSON, other JSON, and wrong encodings are refused in a sentence', async () => {
    const refused = async (name: string, file: Buffer | string) => (await importFile(name, file)).import
    expect(await refused('a.json', '{"db": [')).toMatchObject({
      status: 'failed',
      problem: expect.stringContaining('broken'),
    })
    expect(await refused('a.json', '{"a": 1}')).toMatchObject({
      problem: expect.stringContaining('isn’t an export of Ghost'),
    })
    expect(await refused('a.json', Buffer.from('{"a": "caf\xe9"}', 'latin1'))).toMatchObject({
      problem: expect.stringContaining('isn’t UTF-8'),
    })
    expect(await refused('a.bin', 'hello')).toMatchObject({
      problem: expect.stringContaining('isn’t an export that we know'),
    })
    expect(await refused('a.json', '')).toMatchObject({ problem: 'The file is empty' })
  })
})

test('posts that are hidden at the source stay drafts, and the check says so with the reason', async () => {
  const file = await zipOf({
    '_posts/2022-06-05-hidden.md': '---\npublished: false\n---\n\nNot for readers.',
    '_posts/yes.md': '---\ndate: 2022-06-05\ndraft: yes\n---\n\nNot for readers.',
    '_posts/text.md': '---\ndate: 2022-06-05\ndraft: "true"\n---\n\nNot for readers.',
    '_posts/toml.md': '+++\ndate = 2022-06-05\ndraft = true\n+++\n\nNot for readers.',
    '_posts/undated.md': 'No date.',
    'posts/first-post/index.md': '---\ntitle: First\ndate: 2022-6-5\n---\n\nFor readers.',
  })
  const done = await importFile('posts.zip', file, true)
  expect(done.import.counts).toMatchObject({ imported: 5, published: 1 })
  const stays = (items: PostImportItem[]) => items.flatMap(({ notes }) => notes.filter((note) => /^Stays/.test(note)))
  expect(stays(done.checked.items).sort()).toEqual([
    'Stays a draft: it has no date that we can read',
    'Stays a draft: the file says “draft: true”',
    'Stays a draft: the file says “draft: true”',
    'Stays a draft: the file says “draft: yes”',
    'Stays a draft: the file says “published: false”',
  ])
  expect(stays(done.items).sort()).toEqual(stays(done.checked.items).sort())
  const published = done.items.find(({ result }) => result === 'published')
  expect(await draftOf(published?.documentId)).toMatchObject({ title: 'First', slug: 'first-post', date: '2022-06-05' })
})

test('Substack: posts and drafts with their dates; a post without its file is reported, also as CSV', async () => {
  const done = await importFile('export.zip', await substackExport())
  expect(done.import).toMatchObject({ source: 'substack', status: 'finished', counts: { imported: 2, failed: 1 } })
  const [first, second, third] = done.items
  const draft = await draftOf(first?.documentId)
  expect(draft).toMatchObject({
    title: 'Leaving the feed, "for good"',
    slug: 'leaving-the-feed',
    date: '2024-05-01',
    preview: 'Why we did it',
  })
  expect(draft.sections[0]).toMatchObject({ heading: 'What changed' })
  expect(draft.sections[0]?.body).toContain('[The talk](https://www.youtube.com/embed/abc)')
  expect(first?.notes).toEqual(
    expect.arrayContaining(['Removed: a sign-up form', 'Changed into a link: an embed or video']),
  )
  expect(await draftOf(second?.documentId)).toMatchObject({ title: 'A draft', date: '' })
  expect(third).toMatchObject({ result: 'failed', documentId: null })
  const { csv } = await desk.get<{ csv: string }>('admin-post-import-report', { id: done.id })
  expect(csv).toContain('"3","No file","Not imported"'.replace('Not imported', 'failed'))
})

test('Markdown: front matter, images beside the file, HTML in the text, our own archive’s posts', async () => {
  const done = await importFile(
    'posts.zip',
    await zipOf({
      'README.md': '# Not a post',
      '__MACOSX/._a.md': 'x',
      'posts/2025-01-02-hello.md':
        '---\ntitle: "Hello: again"\nvisibility: public\ntags: [Finance, other]\nexcerpt: Short\n---\n\nOpening.\n\n## One\n\n![Till](../images/till.png)\n\n<div><b>Bold</b><script>x</script></div>\n\n```html\n<b>kept</b>\n```\n',
      'images/till.png': png,
      'drafts/later.md': '# Later\n\nText.\n\nMore.',
      'broken.md': '---\ntitle: [unclosed\n---\nText',
    }),
  )
  expect(done.import).toMatchObject({ source: 'markdown', counts: { imported: 2, failed: 1 } })
  const draft = await draftOf(done.items.find(({ title }) => title === 'Hello: again')?.documentId)
  expect(draft).toMatchObject({
    slug: 'hello',
    date: '2025-01-02',
    preview: 'Short',
    tags: ['Finance'],
    intro: 'Opening.',
  })
  expect(draft.sections[0]?.body).toMatch(
    /^!\[Till\]\(\/media\/[0-9a-f]{64}\.png#1x1\)\n\n\*\*Bold\*\*\n\n```html\n<b>kept<\/b>\n```$/,
  )
  expect(done.items.find(({ result }) => result === 'failed')?.notes).toEqual(['The front matter isn’t valid YAML'])
})

describe('attacks', () => {
  test('images are never fetched from private addresses, and redirects, sizes and loops are limited', async () => {
    const strict = createFetchFile({ timeoutMs: 2_000 })
    for (const address of [
      images.url('/strict.png'),
      'http://localhost/a.png',
      'http://10.0.0.1/a.png',
      'http://[::1]/a.png',
      'http://169.254.169.254/latest/meta-data',
      'http://2130706433/a.png',
      'http://0x7f000001/a.png',
      'http://127.1/a.png',
      'http://[::ffff:169.254.169.254]/a.png',
      'http://[64:ff9b::7f00:1]/a.png',
      'data:image/png;base64,AA',
      'https://user:secret@example.test/a.png',
      'file:///etc/passwd',
    ]) {
      await expect(strict(address), address).rejects.toThrow()
    }
    expect(images.asked).not.toContain('/strict.png')
    await expect(local()(images.url('/redirect'))).rejects.toThrow('points to a private network')
    await expect(local()(images.url('/loop'))).rejects.toThrow('redirects too often')
    await expect(local()(images.url('/endless'))).rejects.toThrow('too large')
    const text = await importFile('a.md', `# Text\n\n![An image](${images.url('/text.png')})\n\nMore.`)
    expect(text.items[0]?.notes.join()).toContain('Images can be JPEG, PNG, WebP or GIF')
  })

  test('a server with a broken redirect, a switch of protocols or half an image costs only that image', async () => {
    const pictures = ['/nowhere', '/upgrade', '/half', '/till.png'].map((path) => `![Till](${images.url(path)})`)
    const text = await importFile('a.md', `# Text\n\n${pictures.join('\n\n')}\n\nMore.`)
    expect(text.import).toMatchObject({ status: 'finished', counts: { imported: 1 } })
    expect(text.items[0]?.notes.filter((note) => note.startsWith('Image not imported'))).toEqual([
      `Image not imported: ${images.url('/nowhere')} (the address isn’t a web address)`,
      `Image not imported: ${images.url('/upgrade')} (the server closed the connection without an answer)`,
      `Image not imported: ${images.url('/half')} (the download broke off)`,
    ])
  })

  test('climbing paths, links, bombs and files that are no zip are refused', async () => {
    const climbing = await zipOf({ 'aa/evil.md': '# Evil' })
    const problemOf = async (file: Buffer) => (await importFile('posts.zip', file)).import.problem
    for (const path of ['../evil.md', '/xx/evil.md']) {
      const bytes = Buffer.from(climbing)
      for (let at = bytes.indexOf('aa/evil.md'); at >= 0; at = bytes.indexOf('aa/evil.md'))
        bytes.write(path.slice(0, 10), at)
      expect(await problemOf(bytes)).toContain('We can’t open this zip file')
    }
    expect(await problemOf(await zipOf({ 'bomb.md': Buffer.alloc(30_000_000) }))).toContain('far more than its size')
    expect(await problemOf(Buffer.concat([Buffer.from('PK'), Buffer.alloc(100)]))).toContain(
      'We can’t open this zip file',
    )
    expect(await problemOf(await zipOf({ 'a.txt': 'x' }))).toContain('no posts')
  })

  test('HTML that is nested too deeply, and a text that is too long, fail alone', async () => {
    const done = await importFile(
      'export.json',
      ghostExport([
        { html: `${'<div>'.repeat(20_000)}x${'</div>'.repeat(20_000)}` },
        { html: `<p>${'long '.repeat(30_000)}</p><p>${'long '.repeat(30_000)}</p>` },
        { html: '<p>Fine.</p><p>Really.</p>', title: 'Fine' },
      ]),
    )
    expect(done.items[0]).toMatchObject({ result: 'failed', notes: ['Its HTML is nested too deeply'] })
    expect(done.items[2]).toMatchObject({ result: 'imported' })
    expect(done.items[1]).toMatchObject({ result: 'failed', notes: [expect.stringContaining('60,000 characters')] })
  })
})

describe('the thread', () => {
  const directory = openForTests(async () => {
    const path = await mkdtemp(join(tmpdir(), 'post-thread-'))
    return { path, close: () => rm(path, { recursive: true, force: true }) }
  })
  const written = async (content: string) => {
    const path = join(directory.path, crypto.randomUUID())
    await writeFile(path, content)
    return path
  }

  test('converts posts, and reports what a file or a post lacks', async () => {
    const file = await openPostThread(await written(ghostExport([{}, { html: '<div>'.repeat(500) }])), 'export.json')
    expect(file).toMatchObject({ source: 'ghost', posts: [{ title: 'Post 1' }, { title: 'Post 2' }] })
    expect(await file.convert(0)).toEqual({
      parts: [{ text: 'Hello.', isOpen: true }],
      notes: [],
      blockers: [],
      pictures: [],
    })
    expect(await file.build(publicationDefaults, 0, [{ text: 'Hello.', isOpen: true }], 'UTC')).toMatchObject({
      draft: { title: 'Post 1' },
    })
    await expect(file.convert(1)).rejects.toThrow(new PostFileError('Its HTML is nested too deeply'))
    await expect(file.convert(2)).rejects.toThrow(new PostFileError('The file has changed'))
    await file.close()
    await expect(openPostThread(await written('{'), 'export.json')).rejects.toThrow(PostFileError)
  })

  test('is replaced if a post takes too long, and the others go on', async () => {
    // Just below the limit of 30,000 tags.
    const slow = '<p>x</p>'.repeat(14_500)
    const path = await written(ghostExport([{ html: slow }, { html: '<p>Quick.</p>' }]))
    const file = await openPostThread(path, 'export.json', { timeoutMs: 20 })
    await expect(file.convert(0)).rejects.toThrow(new PostFileError('It takes too long to read'))
    expect(await file.convert(1)).toMatchObject({ parts: [{ text: 'Quick.' }] })
    await file.close()
  })
})

describe('several at once', () => {
  test('only one import is open; roles are enforced; a canceled one stops and can be continued', async () => {
    const { id } = await upload('a.md', '# One\n\nText.\n\nMore.')
    expect(await upload('b.md', '# Two')).toMatchObject({ status: 409 })
    expect(await desk.ask('admin-post-imports', {}, desk.reader)).toMatchObject({ status: 403 })
    await Promise.all([run(), run()])
    await desk.get('admin-start-post-import', { id, publish: false })
    await desk.get('admin-cancel-post-import', { id })
    await run()
    expect(await latest()).toMatchObject({ status: 'canceled', counts: { new: 1 } })
    await desk.get('admin-start-post-import', { id, publish: false })
    await Promise.all([run(), run()])
    expect(await latest()).toMatchObject({ status: 'finished', counts: { imported: 1 } })
  })

  test('an upload whose node was killed leaves no file a day later, and doesn’t stand in the way', async () => {
    const { database, deps: serverDeps } = desk.server
    let arrived = () => {}
    const hasArrived = new Promise<void>((resolve) => {
      arrived = resolve
    })
    async function* cutOff() {
      yield new Uint8Array(partBytes)
      yield new Uint8Array(1)
      arrived()
      await new Promise(() => {})
    }
    void uploadPosts(serverDeps, { userId: desk.ann.id, email: 'ann@example.test' }, { name: 'x', bytes: cutOff() })
    await hasArrived
    const [{ id = '' } = {}] = await database.db.select().from(postImports)
    const stored = () => serverDeps.store.get(partKey(id, 0))
    expect(await stored()).not.toBeNull()
    expect((await desk.get<{ items: PostImport[] }>('admin-post-imports', {})).items).toEqual([])
    await importFile('export.json', ghostExport([{ title: 'Meanwhile' }]))
    await deleteOldPostFiles(serverDeps)
    expect(await stored()).not.toBeNull()
    const dayLater = () => new Date(serverDeps.clock().getTime() + 25 * 60 * 60_000)
    await deleteOldPostFiles({ ...serverDeps, clock: dayLater })
    expect(await stored()).toBeNull()
    expect(await database.db.select().from(postImports).where(eq(postImports.id, id))).toEqual([])
  })

  test('only the five newest checked files are kept, so that they don’t pile up', async () => {
    const ids: string[] = []
    for (let index = 0; index < 7; index += 1) {
      ids.push((await upload('export.json', ghostExport([{ title: `Kept ${index}`, slug: `kept-${index}` }]))).id)
      await run()
      desk.server.clock.now = new Date(desk.server.clock.now.getTime() + 1000)
    }
    const { db } = desk.server.database
    const stored = await db.select().from(postImports).where(gt(postImports.parts, 0)).orderBy(postImports.createdAt)
    expect(stored.map(({ id }) => id)).toEqual(ids.slice(-5))
    expect(await desk.ask('admin-start-post-import', { id: ids[0], publish: false })).toMatchObject({
      body: { status: 'canceled' },
    })
  })

  test('an import stops if the editor who started it was disabled', async () => {
    const editor = await buildUser(desk.server, { role: 'editor' })
    const { id } = await upload('export.json', ghostExport([{ title: 'Disabled', slug: 'disabled' }]))
    await run()
    await desk.ask('admin-start-post-import', { id, publish: false }, editor)
    const bannedUntil = new Date('2099-01-01')
    await desk.server.database.db.update(users).set({ bannedUntil }).where(eq(users.id, editor.id))
    await run()
    expect(await latest()).toMatchObject({ status: 'canceled', counts: { imported: 0 } })
  })

  test('an import stops if whoever started it loses the role, and another editor can continue it', async () => {
    const editor = await buildUser(desk.server, { role: 'editor' })
    const file = ghostExport(['a', 'b'].map((slug) => ({ title: `Role ${slug}`, slug: `role-${slug}` })))
    const { id } = await upload('export.json', file)
    await run()
    await desk.ask('admin-start-post-import', { id, publish: false }, editor)
    await desk.server.database.db.delete(userRoles).where(eq(userRoles.userId, editor.id))
    await run()
    expect(await latest()).toMatchObject({ status: 'canceled', counts: { imported: 0 } })
    await desk.get('admin-start-post-import', { id, publish: false })
    await run()
    expect(await latest()).toMatchObject({ status: 'finished', counts: { imported: 2 } })
  })

  /** Random moments; every statement and every commit of a run is one. `IMPORT_KILLS=all` tries each. */
  const kills = process.env.IMPORT_KILLS === 'all' ? Number.POSITIVE_INFINITY : caseCount(6, 20, 'IMPORT_KILLS')

  const fileNamed = (name: string) =>
    ghostExport([
      {
        title: `${name} one`,
        slug: `${name}-one`,
        html: `<p>One</p><p><img src="${images.url('/1.png')}" alt="x"></p>`,
      },
      { title: `${name} two`, slug: `${name}-two`, html: '<p>Two</p><p>More</p>', status: 'draft', published_at: null },
      { title: `${name} three`, html: '<div>'.repeat(500) },
      { title: `${name} four`, id: '6000' },
    ])

  async function outcomeOf(name: string, id: string) {
    const { db } = desk.server.database
    const drops = await queryRows(
      db,
      sql`select d.document - 'sections' as document, d.version, d.published_version, i.slug,
        i.published_at, (select count(*)::int from content_revision r where r.kind = d.kind and r.id = d.id) as revisions
      from content_document d left join issues i on i.id = d.id
      where d.document ->> 'title' like ${`${name} %`} order by d.document ->> 'title'`,
    )
    const { status, counts, done } = await latest()
    const items = (await itemsOf(id)).map(({ documentId, ...item }) => ({ ...item, hasDrop: documentId !== null }))
    const text = JSON.stringify({ status, counts, done, items, drops })
    return JSON.parse(text.replaceAll(name, 'x'))
  }

  test('an import killed at 20 random moments and resumed equals one that wasn’t', { timeout: 120_000 }, async () => {
    const { server } = desk
    const unlimited = 1_000_000
    let moments = 0
    /** Dies at a moment of the check or of the import, and goes on in another process. */
    const importDying = async (name: string, moment: number) => {
      await server.database.db.delete(importedPosts)
      await server.database.db.delete(postImports)
      const { id } = await upload('export.json', fileNamed(name))
      let left = moment
      for (const step of ['check', 'import']) {
        if (step === 'import') await desk.get('admin-start-post-import', { id, publish: true })
        const { db, used } = dyingAfter(server.database.db, left)
        const dying = { ...deps(), database: { ...server.database, db } }
        await continueRun(dying, postImportSteps(dying), id).catch((error: unknown) => {
          if (!(error instanceof Killed)) throw error
        })
        const hasDied = used() > left
        left = hasDied ? unlimited : left - used()
        if (moment === unlimited) moments += used()
        if (!hasDied) continue
        await run()
      }
      return outcomeOf(name, id)
    }
    const expected = await importDying('whole', unlimited)
    expect(expected).toMatchObject({ status: 'finished', counts: { published: 1, imported: 1, failed: 2, known: 0 } })
    expect(expected.drops).toHaveLength(2)
    const tried = kills < moments ? scattered(kills, moments) : Array.from({ length: moments }, (_, n) => n)
    for (const moment of tried) {
      expect(await importDying(`k${moment}`, moment), `killed at moment ${moment}`).toEqual(expected)
    }
    await deleteOldPostFiles(server.deps)
    const [{ id = '' } = {}] = await server.database.db.select().from(postImports)
    expect(await server.deps.store.get(`parts/${id}-0`)).toBeNull()
    expect(await server.database.db.$count(mediaImage)).toBeGreaterThan(0)
  })
})
