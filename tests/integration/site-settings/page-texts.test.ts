import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { contentPages, publicationSettings, publicationSettingVersions } from '#server/db/schema/index.ts'
import { readLinkTargets } from '#server/features/library/content/link-targets.ts'
import { seedContent } from '#server/seed/seed-content.ts'
import type { SettingsPage, SettingValues } from '#shared/contracts/publishing/site-settings.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const server = openForTests(() => createTestApp())
let editor: TestUser
let reader: TestUser
beforeAll(async () => {
  await seedContent(server.deps)
  editor = await buildUser(server, { role: 'editor' })
  reader = await buildUser(server, { subscription: 'active' })
})
beforeEach(async () => {
  await server.database.db.delete(publicationSettings)
  await server.database.db.delete(publicationSettingVersions)
})

const settings = async () =>
  (await call(server, 'admin-page-settings', {}, editor.token)).body as unknown as SettingsPage
const defaultOf = async (name: string) => (await settings()).fields.find((field) => field.name === name)?.default ?? ''
const save = async (values: SettingValues) => {
  const { version } = await settings()
  return call(server, 'admin-page-settings', { save: { version, values } }, editor.token)
}
const glossary = async () =>
  (await call(server, 'glossary', {}, reader.token)).body as unknown as {
    checkedOn: string | null
    terms: { id: string; term: string; definitionHtml: string; seeAlso: string[] }[]
  }
const safety = async () =>
  (await call(server, 'safety-rules', {})).body.safety as { checkedOn: string | null; title: string; never: unknown[] }

describe('the texts of the portal’s pages', () => {
  test('saved as they come change nothing', async () => {
    const { fields } = await settings()
    const values = Object.fromEntries(fields.map((field) => [field.name, field.default]))
    const saved = await save(values)
    expect(saved, JSON.stringify(saved.body)).toMatchObject({ status: 200, body: { version: 0, values: {} } })
  })

  test.each(['glossary', 'safety-rules', 'start-win-body', 'method-criteria'])(
    'pass the checks of content files when %s changes a little',
    async (name) => {
      const text = await defaultOf(name)
      const saved = await save({ [name]: `${text}\n\nOne more sentence.` })
      expect(saved, JSON.stringify(saved.body)).toMatchObject({ status: 200, body: { version: 1 } })
    },
  )

  test('a term that is added is in the glossary, on the public page and a target of links; the default takes it back', async () => {
    const shipped = await glossary()
    const text = `${await defaultOf('glossary')}\n\n## Proofing box\n\nWhere dough rises.\n\nSee also: Prompt`
    expect(await save({ glossary: text })).toMatchObject({ status: 200 })
    const edited = await glossary()
    expect(edited.checkedOn).toBeNull()
    expect(edited.terms).toHaveLength(shipped.terms.length + 1)
    expect(edited.terms).toContainEqual({
      id: 'proofing-box',
      term: 'Proofing box',
      definitionHtml: '<p>Where dough rises.</p>\n',
      seeAlso: ['prompt'],
    })
    expect(edited.terms.map(({ id }) => id)).toEqual(expect.arrayContaining(shipped.terms.map(({ id }) => id)))
    expect(await (await server.app.request('/glossary')).text()).toContain('Where dough rises.')
    expect((await readLinkTargets(server.database.db)).terms).toContain('proofing-box')
    expect(await save({})).toMatchObject({ status: 200 })
    expect(await glossary()).toEqual(shipped)
  })

  test('a page of the publisher’s own replaces the shipped one', async () => {
    const rules = '## Recipes\n\nThey are ours.\n\n## Wages\n\nThey are private.\n\nException: Your own.'
    expect(await save({ 'safety-title': 'What stays in the bakery', 'safety-rules': rules })).toMatchObject({
      status: 200,
    })
    expect(await safety()).toMatchObject({
      checkedOn: null,
      title: 'What stays in the bakery',
      never: [
        { id: 'recipes', rule: 'Recipes', exceptionHtml: '' },
        { id: 'wages', rule: 'Wages', exceptionHtml: '<p>Your own.</p>\n' },
      ],
    })
  })

  test('a release that changes a shipped text changes only what the publisher left alone', async () => {
    await save({ 'safety-title': 'Our title' })
    const { db } = server.database
    const [row] = await db.select().from(contentPages).where(eq(contentPages.id, 'safety'))
    const page = { ...(row?.page as object), title: 'Their new title', incidents: 'Call us.' }
    await db.update(contentPages).set({ page }).where(eq(contentPages.id, 'safety'))
    expect(await safety()).toMatchObject({ title: 'Our title', incidentsHtml: '<p>Call us.</p>\n' })
    await db.update(contentPages).set({ page: row?.page }).where(eq(contentPages.id, 'safety'))
  })

  test.each([
    ['an emptied page', { glossary: ' ' }, 'Terms can’t be empty. Enter a text, or use the default.'],
    ['an emptied line', { 'safety-title': '' }, 'Title can’t be empty. Enter a text, or use the default.'],
    ['a text without a heading', { glossary: 'Words' }, 'Begin each entry with a heading (##).'],
    [
      'a link to nothing',
      { glossary: '## Pilot\n\nSee [it](/portal/glossary#nothing).' },
      expect.stringMatching(/^“Pilot”: Line 1: /),
    ],
    ['a step without minutes', { 'start-win-minutes': 'soon' }, expect.stringContaining('First step: minutes')],
    [
      'a link that leaves the portal',
      { 'start-win-path': 'https://x.test' },
      expect.stringContaining('must be a page'),
    ],
    ['a criterion too few', { 'method-criteria': '## One\n\nText.' }, expect.stringContaining('Keep 5 headings')],
  ])('%s is refused in a sentence, and nothing changes', async (_what, values, error) => {
    const before = await glossary()
    expect(await save(values)).toMatchObject({ status: 400, body: { code: 'validation_failed', error } })
    expect((await settings()).version).toBe(0)
    expect(await glossary()).toEqual(before)
  })

  test('texts of an archive that can’t be read leave the shipped page', async () => {
    const before = await safety()
    const value = { 'safety-rules': 'no heading', glossary: 7 }
    await server.database.db.insert(publicationSettings).values({ name: 'pages', value, updatedAt: server.clock.now })
    expect(await safety()).toMatchObject({ title: before.title, never: before.never })
    expect((await glossary()).terms.length).toBeGreaterThan(5)
  })
})
