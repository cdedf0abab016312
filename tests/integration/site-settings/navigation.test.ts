import { beforeEach, describe, expect, test } from 'vitest'
import { publicationSettings, publicationSettingVersions, sitePage } from '#server/db/schema/index.ts'
import { applySettings } from '#server/features/publishing/site-settings/apply-settings.ts'
import type { SitePage } from '#shared/contracts/publishing/site-pages.ts'
import type { SettingsPage, SettingValues } from '#shared/contracts/publishing/site-settings.ts'
import { publicationDefaults } from '#shared/publication-defaults.ts'
import { buildUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const site = openForTests(async () => {
  const server = await createTestApp()
  const owner = await buildUser(server, { admin: true })
  const editor = await buildUser(server, { role: 'editor' })
  return { server, owner, editor, db: server.database.db, close: () => server.close() }
})
const publication = () => site.server.deps.config.settings.publication
beforeEach(async () => {
  await site.db.delete(publicationSettings)
  await site.db.delete(publicationSettingVersions)
  await site.db.delete(sitePage)
  await applySettings(site.db, site.server.deps.config)
})

const ask = (name: string, body: object, who = site.owner) => call(site.server, name, body, who.token)
const read = async () => (await ask('admin-navigation-settings', {})).body as unknown as SettingsPage
const attempt = async (values: SettingValues) =>
  ask('admin-navigation-settings', { save: { version: (await read()).version, values } })
async function save(values: SettingValues) {
  const { status, body } = await attempt(values)
  expect(status, JSON.stringify(body)).toBe(200)
}
const problemOf = async (name: string, value: string) => {
  const { status, body } = await attempt({ [name]: value })
  expect(status).toBe(400)
  return (body.problems as Record<string, string>)[name]
}
const newPage = { version: 0, path: 'faq', title: 'FAQ', body: 'Ask us.', audience: 'everyone', isPublished: true }
async function savePage(more: Partial<SitePage> = {}) {
  const { status, body } = await ask('admin-save-site-page', { id: crypto.randomUUID(), ...newPage, ...more })
  expect(status, JSON.stringify(body)).toBe(200)
  return body as unknown as SitePage
}
async function visit(path: string) {
  site.server.clock.advance(1_001)
  return (await site.server.request(path)).text()
}
const linksOf = (html: string, label: string) => {
  const [, list = ''] = new RegExp(`<nav aria-label="${label}">(.*?)</nav>`, 's').exec(html) ?? []
  return [...list.matchAll(/<a href="([^"]*)">([^<]*)<\/a>/g)].map(([, href, text]) => `${text} ${href}`)
}

describe('until something is changed', () => {
  test('the navigation is the default one, and every default can be saved as it is', async () => {
    expect(publication()).toEqual({ ...publicationDefaults, plans: publication().plans })
    const { fields } = await read()
    await save(Object.fromEntries(fields.map((field) => [field.name, field.default])))
    expect((await read()).values).toEqual({})
  })

  test('public pages have the same links as the landing page', async () => {
    const html = await visit('/drops')
    expect(linksOf(html, 'Site')).toEqual([
      'Drops /drops',
      'Free edition /free',
      'Get Access /#pricing',
      'Sign In /auth',
    ])
    expect(linksOf(html, 'More')).toEqual([
      ...['Drops /drops', 'Glossary /glossary', 'How we choose /method'],
      ...['Safety rules /safety', 'About /about', 'Feed /feed.xml'],
    ])
  })
})

describe('a link to one of the publisher’s pages', () => {
  test('leads visitors to its address, and members to the portal', async () => {
    const { id } = await savePage()
    await save({ header: `page:${id} Questions\n/drops Recipes`, members: `page:${id} Questions` })
    expect(linksOf(await visit('/drops'), 'Site')).toEqual(['Questions /faq', 'Recipes /drops'])
    expect(publication().navigation.header).toContainEqual({ label: 'Questions', href: '/faq' })
    expect(publication().navigation.members).toEqual([{ label: 'Questions', href: '/portal/pages/faq' }])
  })

  test('follows a changed address, and is left out while the page is a draft or gone', async () => {
    const page = await savePage()
    await save({ footer: `/drops Recipes\npage:${page.id} Questions` })
    const footer = async () => linksOf(await visit('/drops'), 'More')
    const moved = await savePage({ ...page, path: 'questions' })
    expect(await footer()).toEqual(['Recipes /drops', 'Questions /questions'])
    await savePage({ ...moved, isPublished: false })
    expect(await footer()).toEqual(['Recipes /drops'])
    await ask('admin-delete-site-page', { id: page.id })
    expect(await footer()).toEqual(['Recipes /drops'])
  })

  test('for members leads visitors to the portal, which asks them to sign in', async () => {
    const { id } = await savePage({ audience: 'members' })
    await save({ header: `page:${id} Questions` })
    expect(linksOf(await visit('/drops'), 'Site')).toEqual(['Questions /portal/pages/faq'])
  })
})

describe('the tabs', () => {
  test('can be renamed, moved and hidden; a renamed tab names its page, and the first one opens first', async () => {
    await save({ tabs: '/portal/guides Guides\n/portal/weekly-drops Recipes\nhttps://shop.example.com/ Shop' })
    expect(publication().navigation.tabs.map(({ label }) => label)).toEqual(['Guides', 'Recipes', 'Shop'])
    expect(publication().navigation.home).toEqual({ label: 'guides', href: '/portal/guides' })
    expect(publication().tabTitles).toEqual({
      ...publicationDefaults.tabTitles,
      'weekly-drops': 'Recipes',
    })
    expect(await visit('/drops')).toContain('<h1>Recipes</h1>')
  })

  test('have a line below their titles, which can be changed and left out', async () => {
    await save({ 'lede.tools': 'Ovens we trust.', 'lede.guides': '' })
    expect(publication().tabLedes).toEqual({ ...publicationDefaults.tabLedes, tools: 'Ovens we trust.', guides: '' })
  })

  test('can all be hidden; the portal then opens with the drops', async () => {
    await save({ tabs: '' })
    expect(publication().navigation).toMatchObject({ tabs: [], home: { href: '/portal/weekly-drops' } })
  })

  test('have short names', async () => {
    expect(await problemOf('tabs', `/portal/tools ${'x'.repeat(25)}`)).toContain('up to 24 characters')
  })
})

test('an empty header has no navigation', async () => {
  await save({ header: '', footer: '' })
  expect(publication().navigation).toMatchObject({ header: [], footer: [] })
  const html = await visit('/drops')
  expect(html).not.toContain('aria-label="Site"')
  expect(html).not.toContain('aria-label="More"')
})

test('the label of a button is the publisher’s everywhere', async () => {
  await save({ 'label.getAccess': 'Join the bakery' })
  expect(publication().labels.getAccess).toBe('Join the bakery')
  expect(await problemOf('label.getAccess', ' ')).toContain('can’t be empty')
})

describe('a link is refused', () => {
  test.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,x',
    '//example.com',
    '/\\example.com',
    '/a\\b',
    'http://example.com',
    'https://user:secret@example.com',
    'https://',
    'drops',
    'page:1',
    'vbscript:x',
  ])('to %s', async (target) => {
    expect(await problemOf('header', `${target} Click me`)).toContain(`“${target}” isn’t an address for a link`)
    expect((await read()).version).toBe(0)
  })

  test('without a name, with a long one, twice, or beyond the room there is', async () => {
    expect(await problemOf('footer', '/drops')).toBe('Enter a name for each link.')
    expect(await problemOf('footer', `/drops ${'x'.repeat(41)}`)).toContain('up to 40 characters')
    expect(await problemOf('footer', '/drops One\n/drops Two')).toContain('“Two” is one of them')
    const many = Array.from({ length: 9 }, (_, index) => `/drops?page=${index + 2} Page`).join('\n')
    expect(await problemOf('header', many)).toBe('Here is room for 8 links.')
  })

  test('also if it came with an archive', async () => {
    const value = { header: 'javascript:alert(1) Click me', footer: '/drops Recipes' }
    const row = { name: 'navigation', value, version: 1, updatedAt: site.server.clock.now }
    await site.db.insert(publicationSettings).values(row)
    await applySettings(site.db, site.server.deps.config)
    expect(publication().navigation.header).toBeNull()
    expect(publication().navigation.footer).toEqual([{ label: 'Recipes', href: '/drops' }])
  })
})

test('only owners change the navigation', async () => {
  expect((await ask('admin-navigation-settings', {}, site.editor)).status).toBe(403)
})

test('of two owners, the second is shown what the first saved', async () => {
  await save({ footer: '/drops Recipes' })
  const { status, body } = await ask('admin-navigation-settings', { save: { version: 0, values: { footer: '' } } })
  expect(status).toBe(409)
  expect(body).toMatchObject({ current: { version: 1, values: { footer: '/drops Recipes' } } })
})
