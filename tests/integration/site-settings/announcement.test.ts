import { beforeEach, expect, test } from 'vitest'
import { publicationSettings, publicationSettingVersions } from '#server/db/schema/index.ts'
import { applySettings } from '#server/features/publishing/site-settings/apply-settings.ts'
import type { SettingsPage, SettingValues } from '#shared/contracts/publishing/site-settings.ts'
import { fillDocument } from '#shared/domain/document-fields.ts'
import { buildUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const site = openForTests(async () => {
  const server = await createTestApp()
  const owner = await buildUser(server, { admin: true })
  return { server, owner, db: server.database.db, close: () => server.close() }
})
const publication = () => site.server.deps.config.settings.publication
beforeEach(async () => {
  await site.db.delete(publicationSettings)
  await site.db.delete(publicationSettingVersions)
  await applySettings(site.db, site.server.deps.config)
})
const attempt = async (values: SettingValues) => {
  const ask = (body: object) => call(site.server, 'admin-navigation-settings', body, site.owner.token)
  const { version } = (await ask({})).body as unknown as SettingsPage
  return ask({ save: { version, values } })
}
async function save(values: SettingValues) {
  const { status, body } = await attempt(values)
  expect(status, JSON.stringify(body)).toBe(200)
}
const problemsOf = async (values: SettingValues) => (await attempt(values)).body.problems
async function visit(path = '/drops', cookie = '') {
  site.server.clock.advance(1_001)
  const answer = await site.server.request(path, { headers: { Cookie: cookie } })
  return { text: await answer.text(), policy: answer.headers.get('content-security-policy') }
}
const dismiss = (form: Record<string, string>) =>
  site.server.request('/announcement/dismiss', { method: 'POST', body: new URLSearchParams(form) })
/** 11 PM and 1 AM in New York, the publication's time zone. */
const lateOn = (day: string) => new Date(`${day}T23:00:00-05:00`)
const earlyOn = (day: string) => new Date(`${day}T01:00:00-05:00`)

const christmas = { 'announcement.text': 'Closed over <Christmas>', 'announcement.link': '/drops' }

test('without an announcement, pages and documents have no trace of one', async () => {
  expect((await visit()).text).not.toContain('announcement')
  expect(fillDocument('<!--announcement-->', publication())).toBe('')
})

test('an announcement is above the header of public pages, and in the documents of the application', async () => {
  await save(christmas)
  const { text, policy } = await visit()
  const bar = /<aside id="announcement".*?<\/aside>/s.exec(text)?.[0] ?? ''
  expect(bar).toContain('<a href="/drops">Closed over &lt;Christmas&gt;</a>')
  expect(text.indexOf(bar)).toBeLessThan(text.indexOf('<header'))
  expect(policy).toContain("form-action 'self'")
  expect(await (await site.server.request('/pages.css')).text()).toContain('.announcement')
  const document = fillDocument('<!--announcement-->', publication())
  expect(document).toContain('Closed over &lt;Christmas&gt;')
  expect(document).toContain('<script src="/announcement.js"></script>')
})

test('a reader dismisses it without a script, and gets the next one', async () => {
  await save(christmas)
  const id = publication().announcement?.id ?? ''
  const answer = await dismiss({ id, back: '/drops' })
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/drops'])
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
  expect((await visit('/drops', cookie)).text).not.toContain('<aside')
  expect((await visit()).text).toContain('<aside')
  await save({ ...christmas, 'announcement.text': 'Open again' })
  expect((await visit('/drops', cookie)).text).toContain('Open again')
})

test.each(['//example.com', 'https://example.com', '/\\example.com', 'javascript:alert(1)'])(
  'dismissing leads to no other site: %s',
  async (back) => {
    expect((await dismiss({ id: 'x', back })).headers.get('location')).toBe('/')
  },
)

test('it appears on its first day and disappears after its last, in the publication’s time zone', async () => {
  await save({ ...christmas, 'announcement.from': '2026-12-24', 'announcement.until': '2026-12-26' })
  const shownAt = async (now: Date) => {
    await applySettings(site.db, site.server.deps.config, now)
    return publication().announcement !== null
  }
  expect(await shownAt(lateOn('2026-12-23'))).toBe(false)
  expect(await shownAt(earlyOn('2026-12-24'))).toBe(true)
  expect(await shownAt(lateOn('2026-12-26'))).toBe(true)
  // Browsers that keep the page open, or offline, hide it by themselves then.
  expect(publication().announcement?.until).toBe('2026-12-27T05:00:00.000Z')
  expect(await shownAt(earlyOn('2026-12-27'))).toBe(false)
})

test('a bad day, a period that ends before it begins, and a bad link are refused', async () => {
  expect(await problemsOf({ 'announcement.from': '2026-02-30' })).toHaveProperty('announcement.from')
  expect(await problemsOf({ 'announcement.from': '2026-12-24', 'announcement.until': '2026-12-23' })).toEqual({
    'announcement.until': 'The last day is before the first one.',
  })
  for (const link of ['javascript:alert(1)', '//example.com', 'page:00000000-0000-4000-8000-000000000000'])
    expect(await problemsOf({ 'announcement.link': link })).toHaveProperty('announcement.link')
})
