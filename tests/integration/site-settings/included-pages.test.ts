import { afterAll, beforeEach, expect, test } from 'vitest'
import { applySettings } from '#server/features/publishing/site-settings/apply-settings.ts'
import { welcomeExample } from '#server/features/publishing/site-settings/email-examples.ts'
import type { SettingsPage } from '#shared/contracts/publishing/site-settings.ts'
import { builtInPageNames } from '#shared/domain/built-in-pages.ts'
import { publicationDefaults } from '#shared/publication-defaults.ts'
import { openAdmin } from '#tests/integration/publishing/support.ts'

let admin: Awaited<ReturnType<typeof openAdmin>>
const opened: (typeof admin)[] = []
beforeEach(async () => {
  admin = await openAdmin()
  opened.push(admin)
})
afterAll(() => Promise.all(opened.map(({ server }) => server.close())))

const addresses = ['/glossary', '/safety', '/method', '/about']
/** Rendered pages are compared with the database once a second. */
async function textOf(path: string) {
  admin.server.clock.advance(1_001)
  return (await admin.server.request(path)).text()
}
function statusesOf() {
  admin.server.clock.advance(1_001)
  return Promise.all(
    addresses.flatMap((path) => [path, `${path}.md`]).map(async (path) => (await admin.server.request(path)).status),
  )
}
async function foundPages() {
  const query = 'is it safe to paste customer names'
  const { items } = await admin.get<{ items: { kind: string }[] }>('search', { query }, admin.reader)
  return items.filter(({ kind }) => kind === 'page')
}
const hidden = () => admin.server.deps.config.settings.publication.hiddenPages

async function choose(change: Record<string, string>) {
  const { version, values } = await admin.get<SettingsPage>('admin-page-settings', {})
  await admin.get('admin-page-settings', { save: { version, values: { ...values, ...change } } })
}

test('our pages go with the samples: from their addresses, lists for crawlers, footers, the first week and emails', async () => {
  expect(hidden()).toEqual([])
  expect(new Set(await statusesOf())).toEqual(new Set([200]))
  expect(await foundPages()).not.toEqual([])
  await admin.get('admin-remove-samples', {})
  expect(await foundPages()).toEqual([])
  expect(hidden()).toEqual(builtInPageNames)
  expect(new Set(await statusesOf())).toEqual(new Set([404]))
  for (const path of ['/', '/drops', '/free', '/sitemap.xml', '/llms.txt']) {
    const text = (await textOf(path)).replaceAll(/"hiddenPages":\[[^\]]*\]/g, '')
    expect(text, path).not.toMatch(/Glossary|Safety rules|How we choose|Start here|Corrections|\/about\b|\/method\b/)
  }
  const { steps } = (
    await admin.get<{ firstWeek: { steps: { step: string }[] } }>(
      'item-marks',
      { scope: { kind: 'issues' } },
      admin.reader,
    )
  ).firstWeek
  expect(steps.map(({ step }) => step)).not.toContain('start-page')
  const { html, text } = welcomeExample(admin.server.deps.config)
  expect(html + text).not.toMatch(/start-here|Start here/)

  await admin.get('admin-restore-samples', {})
  expect(hidden()).toEqual([])
  expect(new Set(await statusesOf())).toEqual(new Set([200]))
})

test('a page that the publisher wrote or switched on stays without the samples, and each can be switched off', async () => {
  await admin.get('admin-remove-samples', {})
  await choose({ glossary: '## Crumb\n\nThe inside of a loaf.', 'page.about': 'shown' })
  expect(builtInPageNames.filter((page) => !hidden().includes(page))).toEqual(['glossary', 'about'])
  expect(await textOf('/sitemap.xml')).toContain('/glossary<')
  await admin.get('admin-trust-pages', {
    save: { editorName: 'Ida Baker', editorBio: '', contactEmail: '', corrections: [] },
  })
  await applySettings(admin.server.database.db, admin.server.deps.config)
  expect(hidden()).not.toContain('editor')
  await choose(Object.fromEntries(builtInPageNames.map((page) => [`page.${page}`, 'hidden'])))
  expect(hidden()).toEqual(builtInPageNames)
})

test('the address of a hidden page is free for a page of the publisher, which replaces ours', async () => {
  const page = {
    id: crypto.randomUUID(),
    version: 0,
    path: 'about',
    title: 'About the bakery',
    body: 'We bake.',
    audience: 'everyone',
    isPublished: true,
  }
  expect((await admin.ask('admin-save-site-page', page)).status).not.toBe(200)
  await choose({ 'page.about': 'hidden' })
  await admin.get('admin-save-site-page', page)
  await choose({ 'page.about': 'shown' })
  expect(await textOf('/about')).toContain('About the bakery')
  expect((await textOf('/sitemap.xml')).match(/\/about</g)).toHaveLength(1)
})

test('texts of ours go with the samples too, unless the publisher writes them', async () => {
  const read = () => admin.get<SettingsPage>('admin-publication-settings', {})
  const { tagline, description } = publicationDefaults
  const { values } = await read()
  expect(values).toEqual({})
  await admin.get('admin-remove-samples', {})
  expect(await textOf('/drops')).not.toMatch(/franchise|weekly newsletter/)
  const page = await read()
  expect(page.values.tagline).toBe(page.fields.find(({ name }) => name === 'tagline')?.default)
  expect(page.values.tagline).not.toBe(tagline)
  await admin.get('admin-publication-settings', { save: { version: page.version, values: page.values } })
  expect((await read()).version, 'saving them unchanged changes nothing').toBe(page.version)

  await admin.get('admin-publication-settings', {
    save: { version: page.version, values: { ...page.values, tagline } },
  })
  expect(admin.server.deps.config.settings.publication).toMatchObject({ tagline })
  expect(admin.server.deps.config.settings.publication.description).not.toBe(description)
  await admin.get('admin-restore-samples', {})
  expect(admin.server.deps.config.settings.publication).toMatchObject({ tagline, description })
})
