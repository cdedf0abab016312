import sharp from 'sharp'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { publicationSettings, publicationSettingVersions } from '#server/db/schema/index.ts'
import { applySettings } from '#server/features/publishing/site-settings/apply-settings.ts'
import { confirmationEmail } from '#server/mail/texts/account-emails.ts'
import { seedContent } from '#server/seed/seed-content.ts'
import type { SettingsPage, SettingValues } from '#shared/contracts/publishing/site-settings.ts'
import { designs } from '#shared/domain/designs.ts'
import { fillDocument } from '#shared/domain/document-fields.ts'
import { publicationDefaults } from '#shared/publication-defaults.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const server = openForTests(() => createTestApp())
let owner: TestUser

beforeAll(async () => {
  owner = await buildUser(server, { admin: true, email: 'owner@example.test' })
  await seedContent(server.deps)
})
beforeEach(async () => {
  await server.database.db.delete(publicationSettings)
  await server.database.db.delete(publicationSettingVersions)
  await applySettings(server.database.db, server.deps.config)
})

const attempt = async (values: SettingValues) => {
  const { version } = (await call(server, 'admin-publication-settings', {}, owner.token)).body
  return call(server, 'admin-publication-settings', { save: { version, values } }, owner.token)
}
async function save(values: SettingValues) {
  const { status, body } = await attempt(values)
  expect(status, JSON.stringify(body)).toBe(200)
  // Rendered pages are kept for a second.
  server.clock.advance(2_000)
  return body as unknown as SettingsPage
}
const publication = () => server.deps.config.settings.publication
const get = async (path: string) => (await server.request(path)).text()
const upload = async (bytes: Uint8Array, use: string) => {
  const answer = await server.request(`/functions/v1/admin-upload-logo?name=picture.jpg&use=${use}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${owner.token}`, 'Content-Type': 'application/octet-stream' },
    body: Buffer.from(bytes),
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}
const photo = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#7a1f3d' } })
    .jpeg()
    .toBuffer()

const document =
  '<html data-look="%look%"><link rel="preload" href="/n" data-font="fraunces-latin-opsz"><link rel="preload" href="/f" data-font="fraunces-latin-wght"><meta content="%theme-light%"><!--accent--><!--publication-->'
const stylesOf = (page: string) => /href="(\/pages\.css\?[\w-]{8})"/.exec(page)?.[1] ?? ''
const email = () =>
  confirmationEmail({ to: 'ana@example.test', config: server.deps.config, link: 'https://site.test/x', code: '493021' })
    .html

test('a fresh publication has the default design', () => {
  expect(publication().look).toEqual(designs.counter.look)
  expect(fillDocument(document, publication())).toContain('data-look="counter fraunces normal slight left"')
})

test('choosing a design changes pages, the portal’s document and emails at once', async () => {
  const before = { list: await get('/drops'), email: email() }
  await save({ design: 'folio' })
  const list = await get('/drops')
  expect(list).toContain('data-look="folio book normal square centered"')
  // Another address, so that no browser shows the former colors.
  expect(stylesOf(list)).not.toBe(stylesOf(before.list))
  expect(await get(stylesOf(list))).toContain(`--background:light-dark(${designs.folio.light.paper},`)
  expect(list).toContain('href="/pages/fraunces-latin-opsz.woff2"')
  expect(list).not.toContain('fraunces-latin-wght.woff2')
  const shell = fillDocument(document, publication())
  expect(shell).toContain('data-look="folio book normal square centered"')
  expect(shell).toContain(`<meta content="${designs.folio.light.paper}">`)
  expect(shell).toContain('data-font="fraunces-latin-opsz"')
  expect(shell).not.toContain('data-font="fraunces-latin-wght"')
  expect(email()).toContain(designs.folio.light.paper)
  expect(email()).not.toContain(designs.counter.light.paper)
  for (const font of ['fraunces-latin-opsz', 'instrument-sans-latin-standard']) {
    const answer = await server.request(`/pages/${font}.woff2`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'font/woff2'])
  }
})

test('adjustments outrank the design, and an accent is that of pages and emails', async () => {
  const values = { design: 'bulletin', fonts: 'fraunces', width: 'narrow', corners: 'round', header: 'centered' }
  await save({ ...values, accent: '#7a1f3d' })
  expect(await get('/drops')).toContain('data-look="bulletin fraunces narrow round centered"')
  expect(await get('/pages.css')).toContain('--primary:light-dark(#7a1f3d,')
  expect(email()).toContain('#7a1f3d')
  expect(email()).not.toContain(designs.bulletin.color)
  await save({ ...values, fonts: 'design' })
  expect(publication().look.fonts).toBe('condensed')
})

test('all nodes and a restored archive get the design with the settings', async () => {
  await save({ design: 'bulletin' })
  const other = { settings: { replace: (next: object) => Object.assign(seen, next) } }
  const seen: { publication?: typeof publicationDefaults } = {}
  await applySettings(server.database.db, other as never)
  expect(seen.publication?.look).toEqual(designs.bulletin.look)
  const [row] = await server.database.db.select().from(publicationSettings)
  expect(row?.value).toEqual({ design: 'bulletin' })
})

describe('bad input changes nothing', () => {
  test.each([
    { design: 'gazette' },
    { design: '__proto__' },
    { design: 'constructor' },
    { fonts: 'Comic Sans' },
    { width: '100vw' },
    { corners: '5px;}body{display:none' },
    { header: 'right' },
    { accent: 'red;}' },
    { picture: 'https://example.test/a.png' },
    { picture: '/media/0.png#1x1' },
  ])('%o', async (values) => {
    const { status, body } = await attempt(values as unknown as SettingValues)
    expect(status).toBe(400)
    expect(Object.keys(body.problems as object)).toEqual(Object.keys(values).filter((name) => name !== '__proto__'))
    expect(publication()).toEqual(publicationDefaults)
  })

  test('a stored value that no set has is left out', async () => {
    const value = { design: 'gazette', fonts: 'nothing', width: 'wide' }
    await server.database.db.insert(publicationSettings).values({ name: 'publication', value, updatedAt: new Date() })
    await applySettings(server.database.db, server.deps.config)
    expect(publication().look).toEqual({ ...designs.counter.look, width: 'wide' })
  })
})

describe('the picture of the landing page', () => {
  const settingOf = async () => {
    const file = await photo(3000, 1500)
    const [large, small] = [await upload(file, 'picture'), await upload(file, 'picture-small')]
    expect([large.body.width, large.body.height, small.body.width]).toEqual([1600, 800, 800])
    return { large, small, picture: `${large.body.path}#1600x800 ${small.body.path}` }
  }

  test('is scaled down in two sizes, needs a text, and can’t be deleted while it is used', async () => {
    const { large, small, picture } = await settingOf()
    const { status, body } = await attempt({ picture })
    expect([status, (body.problems as Record<string, string>).picture]).toEqual([
      400,
      expect.stringContaining('Describe the picture'),
    ])
    await save({ picture, pictureAlt: 'A counter with a bell' })
    expect(publication().picture).toEqual({
      ...{ src: large.body.path, small: small.body.path, width: 1600, height: 800, alt: 'A counter with a bell' },
    })
    for (const { hash } of [large.body, small.body]) {
      const deletion = await call(server, 'admin-delete-image', { hash }, owner.token)
      expect(deletion.body.code).toBe('image_in_use')
    }
  })

  test('is a picture that exists', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    expect((await upload(svg, 'picture')).body.code).toBe('unsupported_file')
    const { large } = await settingOf()
    const gone = `/media/${'0'.repeat(64)}.jpg`
    for (const picture of [`${large.body.path}#1600x800 ${gone}`, `${gone}#1600x800 ${large.body.path}`]) {
      const { status, body } = await attempt({ picture, pictureAlt: 'A counter' })
      expect([status, (body.problems as Record<string, string>).picture]).toEqual([
        400,
        'This picture was deleted. Upload it again.',
      ])
    }
    expect(publication().picture).toBeNull()
  })
})

test('a preview has the design that isn’t saved, for a drop and an email', async () => {
  const preview = async (part: string) =>
    String(
      (
        await call(
          server,
          'admin-preview-publication',
          { values: { design: 'bulletin' }, theme: 'dark', part },
          owner.token,
        )
      ).body.html,
    )
  const drop = await preview('drop')
  expect(drop).toContain('data-look="bulletin condensed wide square left"')
  expect(drop).toContain('class="drop"')
  expect(drop).toContain(`--background:light-dark(${designs.bulletin.light.paper},`)
  expect(drop).not.toContain('<script')
  expect(await preview('email')).toContain(designs.bulletin.light.paper)
  expect(publication().look).toEqual(designs.counter.look)
})
