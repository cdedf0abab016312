import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { importedPosts, issues } from '#server/db/schema/index.ts'
import { createFindRedirect } from '#server/features/publishing/site-settings/find-redirect.ts'
import { staticPages } from '#server/http/serve-client-build.ts'
import { openAdmin } from '#tests/integration/publishing/support.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const admin = openForTests(async () => {
  const opened = await openAdmin()
  return { ...opened, close: () => opened.server.close() }
})
const directory = mkdtempSync(join(tmpdir(), 'redirects-'))
afterAll(() => rmSync(directory, { recursive: true }))

let app: ReturnType<typeof createApp>
beforeAll(async () => {
  writeFileSync(join(directory, 'shell.html'), '<!doctype html><head></head>')
  const { deps } = admin.server
  const pages = await staticPages({ directory, mode: 'sandbox', findRedirect: createFindRedirect(deps) })
  app = createApp({ ...deps, extraRoutes: [pages] })
})

const follow = async (path: string) => {
  const answer = await app.request(path, { headers: { Accept: 'text/html' } })
  return [answer.status, answer.headers.get('location')]
}
async function save(redirects: string) {
  const { version } = await admin.get<{ version: number }>('admin-page-settings', {})
  const saved = await admin.ask('admin-page-settings', { save: { version, values: { redirects } } })
  admin.server.clock.advance(1_001)
  return saved
}

test('old addresses lead to new ones, with their query, and pages that exist come first', async () => {
  expect(
    await save('/old-page/ /drops\n/then https://a.example/b?c=d 302\n/portal /drops\n/glossary /drops'),
  ).toMatchObject({
    status: 200,
  })
  expect(await follow('/old-page')).toEqual([301, '/drops'])
  expect(await follow('/OLD-page/?utm_source=x')).toEqual([301, '/drops?utm_source=x'])
  expect(await follow('/then?x=1')).toEqual([302, 'https://a.example/b?c=d'])
  expect(await follow('/portal')).toEqual([200, null])
  expect(await follow('/glossary')).toEqual([200, null])
  expect(await follow('/rss/')).toEqual([301, '/feed.xml'])
  expect(await follow('/nothing-here')).toEqual([404, null])
  expect(await follow('/%E0%A4%A')).toEqual([404, null])
})

test('a file of Ghost is stored as lines, and a loop is refused with its address', async () => {
  const saved = await save('301:\n  /butter: /drops\n302:\n  /jam: /free')
  expect(saved.body).toMatchObject({ values: { redirects: '/butter /drops\n/jam /free 302' } })
  const refused = await save('/a /b\n/b /a')
  expect(refused).toMatchObject({
    status: 400,
    body: { problems: { redirects: expect.stringContaining('“/a” leads back to itself') } },
  })
  expect(await follow('/butter')).toEqual([301, '/drops'])
})

test('an imported post is found at the address it had at Ghost and at Substack', async () => {
  const { db } = admin.server.database
  const [issue] = await db.select({ id: issues.id, slug: issues.slug }).from(issues).limit(1)
  const documentId = issue?.id ?? ''
  await db.insert(importedPosts).values({
    source: 'ghost',
    sourceId: '1',
    documentId,
    slug: 'butter-goes-up',
    importedAt: admin.server.clock.now,
  })
  for (const path of ['/butter-goes-up/', '/p/butter-goes-up', '/2024/05/butter-goes-up'])
    expect(await follow(path)).toEqual([301, `/drops/${issue?.slug}`])
})
