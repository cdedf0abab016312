import { writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createFetchFile } from '#server/features/operations/post-import/fetch-file.ts'
import type { openPostThread } from '#server/features/operations/post-import/open-post-thread.ts'
import { createPostThreadCalls } from '#server/features/operations/post-import/post-thread-calls.ts'
import { postImportSteps } from '#server/features/operations/post-import/run-post-import.ts'
import { saveImage } from '#server/features/publishing/documents/images.ts'
import type { IssueDraft } from '#shared/contracts/publishing/documents.ts'
import { zipOf } from '#tests/integration/post-import/support.ts'
import { drop, openAdmin, section } from '#tests/integration/publishing/support.ts'
import { buildUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { continueRuns } from '#tests/support/continue-runs.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { exportTo, inTemporaryDirectory, unzip } from './support.ts'

const desk = openForTests(async () => {
  const opened = await openAdmin({ now: new Date('2026-11-21T10:00:00Z') })
  return { ...opened, close: () => opened.server.close() }
})
const target = openForTests(() => createTestApp())
const directory = openForTests(inTemporaryDirectory)

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

async function publish(draft: Partial<IssueDraft> & { title: string }) {
  const created = await desk.get<{ id: string; version: number }>('admin-create-document', {
    kind: 'issue',
    title: draft.title,
  })
  const stored = { kind: 'issue' as const, id: created.id, version: 1 }
  const saved = await desk.save(stored, drop({ slug: created.id, ...draft }))
  expect(saved).toMatchObject({ status: 200 })
  expect(await desk.publish({ ...stored, version: 2 })).toMatchObject({ status: 200 })
}

async function exported(server: TestApp) {
  const path = directory.path(`${crypto.randomUUID()}.zip`)
  await exportTo(server, path)
  return unzip(path)
}
const postsIn = (files: Map<string, Buffer>) =>
  Object.fromEntries(
    [...files].flatMap(([path, bytes]) =>
      path.startsWith('posts/') ? [[path, String(bytes).replace(/^(?:id|updated_at|published_at):.*\n/gm, '')]] : [],
    ),
  )

/** Our posts in another instance, published. */
async function importInto(server: TestApp, files: Record<string, string | Buffer>) {
  const admin = await buildUser(server, { admin: true })
  const fetchFile = createFetchFile()
  const openFile: typeof openPostThread = async (path, name) => {
    const calls = createPostThreadCalls(path, name)
    return { ...calls, ...(await calls.list()), close: async () => {} }
  }
  const run = () => continueRuns(server.deps, postImportSteps({ ...server.deps, fetchFile, openFile }))
  const zip = await zipOf(files)
  const answer = await server.request('/functions/v1/admin-upload-posts?name=posts.zip', {
    method: 'POST',
    headers: { Authorization: `Bearer ${admin.token}`, 'Content-Length': String(zip.byteLength) },
    body: new Uint8Array(zip),
  })
  const { id } = (await answer.json()) as { id: string }
  await run()
  await call(server, 'admin-start-post-import', { id, publish: true }, admin.token)
  await run()
}

const closedSection = section({
  heading: 'Rates_of 5 * 3 <b>',
  summary: 'Not in the text, *really*.',
  body: '# First\n\n```sh\n# a comment <b>\n```\n\nUse <title> & `<b>`.\n\nAlso\n----\n\nMore.',
})
const openSection = section({
  heading: 'Open to all',
  summary: 'Body one.',
  body: 'Body one.\n\n[Another](/portal/weekly-drops/all-open) and [guides](/portal/guides).\n\n> [!TIP]\n> Count **twice**.\n>\n> - Slowly\n\n[Get the sheet](https://example.test/sheet "button")\n\n[Read on](/portal/weekly-drops/all-open "button")',
  openToEveryone: true,
})

test('our posts are the same text with the same readers after an import of the export', async () => {
  target.clock.now = desk.server.clock.now
  const image = await saveImage(
    desk.server.deps,
    { userId: desk.ann.id, email: desk.ann.email, name: 'Ann' },
    { name: 'till.png', file: png },
  )
  await publish({
    title: 'All open',
    sections: [{ ...openSection, body: `![Till](${image.path}#1x1)\n\nText.`, id: crypto.randomUUID(), summary: '' }],
  })
  await publish({
    title: 'Partly open',
    worth: 'Worth an hour.',
    editorNote: 'A note_with [marks]',
    closing: 'The end.',
    sections: [closedSection, openSection],
  })
  await publish({ title: 'Closed', intro: '', sections: [section({ summary: '' })] })
  const files = await exported(desk.server)
  const before = postsIn(files)
  const partly = before['posts/partly-open.md'] ?? ''
  expect(partly).toContain('visibility: paid')
  const [open = '', closed = ''] = partly.split('<!--members-only-->')
  expect(open).toContain('## Open to all\n\nBody one.\n\n[Another](../posts/all-open.md)')
  expect(open).not.toMatch(/\*Body one|Worth|note_with/)
  expect(closed).toContain('```sh\n# a comment <b>\n```\n\nUse \\<title> & `<b>`.\n\n### Also')
  expect(closed).toMatch(/A note_with[\s\S]*Worth an hour[\s\S]*The end\./)
  expect(before['posts/all-open.md']).toContain('visibility: public')
  expect(before['posts/closed.md']).not.toContain('members-only')

  await importInto(target, Object.fromEntries([...files].filter(([path]) => /^(?:posts|images)\//.test(path))))
  const after = postsIn(await exported(target))
  // The import turns http into https, and lists tags in the order of the publication's.
  const comparable = (text = '') => text.replaceAll('](http:', '](https:').replace(/^tags:\n(?: {2}- .*\n)+/m, '')
  for (const [path, text] of Object.entries(before)) expect.soft(comparable(after[path]), path).toBe(comparable(text))
})

test('Ghost’s file keeps what is open, callouts, buttons and links between posts', async () => {
  const zip = directory.path('ghost.zip')
  await writeFile(zip, (await exported(desk.server)).get('ghost/posts.zip') as Buffer)
  const { db } = JSON.parse(String((await unzip(zip)).get('posts.json')))
  const posts = db[0].data.posts as { slug: string; visibility: string; html: string }[]
  const post = (slug: string) => posts.find((found) => found.slug === slug)
  expect(post('all-open')).toMatchObject({ visibility: 'public', html: expect.not.stringContaining('members-only') })
  expect(post('closed')).toMatchObject({ visibility: 'paid', html: expect.not.stringContaining('members-only') })
  const { visibility, html = '' } = post('partly-open') ?? {}
  expect(visibility).toBe('paid')
  expect(html.indexOf('Open to all')).toBeLessThan(html.indexOf('\n<!--members-only-->'))
  expect(html.indexOf('Rates_of')).toBeGreaterThan(html.indexOf('<!--members-only-->'))
  expect(html).toContain('<a href="__GHOST_URL__/all-open/">Another</a>')
  expect(html).toContain('<div class="kg-callout-text">Count <strong>twice</strong>.<br><br>• Slowly</div></div>')
  expect(html).toContain(
    '<div class="kg-card kg-button-card kg-align-left"><a href="https://example.test/sheet" class="kg-btn kg-btn-accent">Get the sheet</a></div>',
  )
  expect(html).toContain('<a href="__GHOST_URL__/all-open/" class="kg-btn kg-btn-accent">Read on</a>')
})
