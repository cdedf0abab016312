import { beforeEach, describe, expect, test } from 'vitest'
import { mediaImage, sitePage } from '#server/db/schema/index.ts'
import { clientPaths } from '#server/http/client-routes.ts'
import type { SitePage } from '#shared/contracts/publishing/site-pages.ts'
import { isReservedAddress } from '#shared/domain/page-addresses.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const site = openForTests(async () => {
  const server = await createTestApp()
  const owner = await buildUser(server, { admin: true })
  const partner = await buildUser(server, { admin: true })
  const member = await buildUser(server, { subscription: 'active' })
  const ask = (name: string, body: object, who?: TestUser) => call(server, name, body, who?.token)
  return { server, owner, partner, member, ask, db: server.database.db, close: () => server.close() }
})
beforeEach(async () => {
  await site.db.delete(sitePage)
})

const newPage = (more: Partial<SitePage> = {}) => ({
  ...{ id: crypto.randomUUID(), version: 0, path: 'opening-hours', title: 'Opening hours' },
  ...{ body: 'We open at **seven**, even on Sunday.', audience: 'everyone', isPublished: true },
  ...more,
})
const attempt = (page: object, who: TestUser = site.owner) => site.ask('admin-save-site-page', page, who)
async function save(page: object, who?: TestUser) {
  const { status, body } = await attempt(page, who)
  expect(status, JSON.stringify(body)).toBe(200)
  return body as unknown as SitePage
}
const problemOf = async (page: object) => {
  const { status, body } = await attempt(page)
  expect(status).toBe(400)
  return body.problems as Record<string, string>
}
/** Rendered pages are compared with the database once a second. */
async function visit(path: string) {
  site.server.clock.advance(1_001)
  const answer = await site.server.request(path)
  return { status: answer.status, text: await answer.text(), location: answer.headers.get('location') }
}

describe('a published page for everyone', () => {
  test('is rendered on the server, with description, canonical address and print styles', async () => {
    await save(newPage())
    const { status, text } = await visit('/opening-hours')
    expect(status).toBe(200)
    expect(text).toContain('<h1>Opening hours</h1>')
    expect(text).toContain('We open at <strong>seven</strong>')
    expect(text).toContain('<meta name="description" content="We open at seven, even on Sunday.">')
    expect(text).toMatch(/<link rel="canonical" href="http[^"]+\/opening-hours">/)
    expect(text).not.toContain('noindex')
    expect((await visit('/opening-hours/')).location).toBe('/opening-hours')
  })

  test('is in the sitemap and in llms.txt, with a Markdown version', async () => {
    await save(newPage())
    expect((await visit('/sitemap.xml')).text).toMatch(/\/opening-hours<\/loc><lastmod>/)
    expect((await visit('/llms.txt')).text).toContain('[Opening hours]')
    expect((await visit('/opening-hours.md')).text).toContain('# Opening hours')
  })

  test('changes within a second, and its former address has no page', async () => {
    const page = await save(newPage())
    await visit('/opening-hours')
    await save({ ...page, path: 'hours', title: 'Our hours' })
    expect((await visit('/hours')).text).toContain('<h1>Our hours</h1>')
    expect((await visit('/opening-hours')).status).toBe(404)
  })

  test('can be read in the portal too', async () => {
    await save(newPage())
    const { body } = await site.ask('site-page', { path: 'opening-hours' }, site.member)
    expect(body).toEqual({
      title: 'Opening hours',
      html: expect.stringContaining('<strong>seven</strong>'),
    })
  })

  test('shows no markup or script that someone typed', async () => {
    await save(newPage({ body: '<script>alert(1)</script> [link](javascript:alert(1))', title: '<b>Hours</b>' }))
    const { text } = await visit('/opening-hours')
    expect(text).toContain('<h1>&lt;b&gt;Hours&lt;/b&gt;</h1>')
    expect(text).not.toContain('<script>alert')
    expect(text).not.toContain('href="javascript:')
  })
})

test('a page for members leads visitors to the portal and stays out of the sitemap', async () => {
  await save(newPage({ audience: 'members' }))
  expect(await visit('/opening-hours')).toMatchObject({ status: 302, location: '/portal/pages/opening-hours' })
  expect((await visit('/opening-hours.md')).location).toBe('/portal/pages/opening-hours')
  expect((await visit('/sitemap.xml')).text).not.toContain('opening-hours')
  const read = (who?: TestUser) => site.ask('site-page', { path: 'opening-hours' }, who)
  expect((await read(site.member)).status).toBe(200)
  const stranger = await buildUser(site.server)
  expect((await read(stranger)).status).toBe(403)
})

test('a draft can be read by no one', async () => {
  await save(newPage({ isPublished: false, body: '' }))
  expect((await visit('/opening-hours')).status).toBe(404)
  expect((await visit('/sitemap.xml')).text).not.toContain('opening-hours')
  expect((await site.ask('site-page', { path: 'opening-hours' }, site.member)).status).toBe(404)
})

test('a deleted page is gone', async () => {
  const { id } = await save(newPage())
  await visit('/opening-hours')
  expect((await site.ask('admin-delete-site-page', { id }, site.owner)).status).toBe(200)
  expect((await visit('/opening-hours')).status).toBe(404)
  expect((await site.ask('admin-site-page', { id }, site.owner)).status).toBe(404)
})

describe('an address is refused', () => {
  test('if another page has it, whichever case and slashes it is written with', async () => {
    await save(newPage())
    expect(await problemOf(newPage({ path: '/Opening-Hours/' }))).toEqual({
      path: 'The page “Opening hours” has the address /opening-hours. Choose another one.',
    })
  })

  test.each(['admin', '/portal', 'About', 'drops', 'assets', 'rest', 'announcement'])(
    'if the application uses it: %s',
    async (path) => {
      expect((await problemOf(newPage({ path }))).path).toContain('The application uses the address')
    },
  )

  test.each(['favicon.svg', 'admin/users', 'öffnung', 'a b', '..', '-', 'x'.repeat(81), 'javascript:alert(1)'])(
    'if it is no address of a page: %s',
    async (path) => {
      expect(Object.keys(await problemOf(newPage({ path })))).toEqual(['path'])
      expect(await site.db.$count(sitePage)).toBe(0)
    },
  )

  test('for all routes of the server and of the application', () => {
    const routes = site.server.app.routes.map(({ path }) => path)
    const first = [...routes, ...clientPaths].map((path) => path.split('/')[1] ?? '')
    const unreserved = new Set(first.filter((part) => /^[a-z0-9-]+$/.test(part) && !isReservedAddress(part)))
    // A list at an address that other platforms have is the publisher's choice.
    expect([...unreserved]).toEqual([])
  })
})

test('a page needs a title, and a text once it is published', async () => {
  expect(await problemOf(newPage({ title: ' ', body: '' }))).toEqual({
    title: 'Enter a title.',
    body: 'Write the page before you publish it.',
  })
  expect((await problemOf(newPage({ title: 'x'.repeat(121) }))).title).toContain('120 characters')
  expect((await problemOf(newPage({ body: '![](/media/x.png)' }))).body).toContain('isn’t one of your uploads')
})

test('of two owners who edit a page, the second is shown what the first saved', async () => {
  const page = await save(newPage())
  await save({ ...page, title: 'Hours' }, site.partner)
  const { status, body } = await attempt({ ...page, title: 'When we open' })
  expect(status).toBe(409)
  expect(body).toMatchObject({ code: 'edit_conflict', current: { title: 'Hours', version: 2 } })
})

test('of two pages that are created with one address at the same moment, one is refused', async () => {
  const answers = await Promise.all([attempt(newPage()), attempt(newPage(), site.partner)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
  expect(await site.db.$count(sitePage)).toBe(1)
})

test('a repeated request creates one page', async () => {
  const page = newPage()
  await save(page)
  expect((await attempt(page)).status).toBe(409)
  expect(await site.db.$count(sitePage)).toBe(1)
})

test('an image of a page can’t be deleted', async () => {
  const hash = 'a'.repeat(64)
  const image = { hash, contentType: 'image/png', width: 10, height: 10, bytes: 10, originalName: 'shop.png' }
  await site.db.insert(mediaImage).values({ ...image, createdAt: site.server.clock.now })
  await save(newPage({ body: `![The shop](/media/${hash}.png)` }))
  const { status, body } = await site.ask('admin-delete-image', { hash }, site.owner)
  expect(status).toBe(409)
  expect(body.error).toContain('the page “Opening hours”')
})
