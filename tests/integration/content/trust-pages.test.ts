import { beforeAll, beforeEach, expect, test } from 'vitest'
import { publicationSettings } from '#server/db/schema/index.ts'
import type { TrustSettings } from '#shared/contracts/publishing/trust-settings.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const server = openForTests(() => createTestApp())
let admin: TestUser
beforeAll(async () => {
  admin = await buildUser(server, { admin: true })
})
beforeEach(() => server.database.db.delete(publicationSettings))

const empty: TrustSettings = { editorName: '', editorBio: '', contactEmail: '', corrections: [] }
const correction = { where: 'AI Use Policy', path: '/portal/guides#ai-use-policy', change: 'A sum was wrong.' }
const save = (settings: Partial<TrustSettings>) =>
  call(server, 'admin-trust-pages', { save: { ...empty, ...settings } }, admin.token)
const pages = async () => (await call(server, 'trust-pages', {})).body

test('without settings, no editor is named, there are no corrections, and readers write to the sender', async () => {
  expect(await pages()).toEqual({ editor: null, contact: server.deps.newsletterMailer.from.address, corrections: [] })
})

test('visitors read what an admin saves: name, text without HTML, contact, corrections newest first', async () => {
  const day = server.clock.now.toISOString().slice(0, 10)
  const answer = await save({
    editorName: 'Ada Quill',
    editorBio: 'Ran **two** shops. <script>alert(1)</script>',
    contactEmail: 'ada@example.test',
    corrections: [
      { ...correction, date: '2020-03-01' },
      { ...correction, date: day },
    ],
  })
  expect(answer.status).toBe(200)
  expect(await pages()).toEqual({
    editor: {
      name: 'Ada Quill',
      bioHtml: '<p>Ran <strong>two</strong> shops. &lt;script&gt;alert(1)&lt;/script&gt;</p>\n',
    },
    contact: 'ada@example.test',
    corrections: [
      { ...correction, date: day },
      { ...correction, date: '2020-03-01' },
    ],
  })
})

test('of two tabs, the second is refused with what the first saved', async () => {
  const at = (version: number, settings: Partial<TrustSettings>) =>
    call(server, 'admin-trust-pages', { save: { ...empty, ...settings }, version }, admin.token)
  expect((await at(0, { editorName: 'Ada Quill' })).body).toMatchObject({ version: 1 })
  expect(await at(0, { editorBio: 'Ran two shops.' })).toMatchObject({
    status: 409,
    body: { code: 'edit_conflict', current: { editorName: 'Ada Quill', editorBio: '', version: 1 } },
  })
  expect((await at(1, { editorBio: 'Ran two shops.' })).body).toMatchObject({ version: 2 })
})

test('a correction in the future, to another site, or without text is refused and changes nothing', async () => {
  await save({ editorName: 'Ada Quill' })
  const future = new Date(server.clock.now.getTime() + 3 * 86_400_000).toISOString().slice(0, 10)
  for (const wrong of [
    { ...correction, date: future },
    { ...correction, date: '2020-02-30' },
    { ...correction, date: '2020-03-01', path: 'https://elsewhere.example' },
    { ...correction, date: '2020-03-01', path: '/portal/"><b>' },
    { ...correction, date: '2020-03-01', change: ' ' },
  ]) {
    expect((await save({ corrections: [wrong] })).status).toBe(400)
  }
  expect((await save({ contactEmail: 'nobody' })).status).toBe(400)
  expect(await pages()).toMatchObject({ editor: { name: 'Ada Quill' }, corrections: [] })
})

test('only admins read and save the settings', async () => {
  const reader = await buildUser(server, { subscription: 'active' })
  for (const input of [{}, { save: empty }]) {
    expect((await call(server, 'admin-trust-pages', input, reader.token)).status).toBe(403)
    expect((await call(server, 'admin-trust-pages', input)).status).toBe(401)
  }
})
