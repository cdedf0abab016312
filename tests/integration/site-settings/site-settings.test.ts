import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { desc, eq } from 'drizzle-orm'
import sharp from 'sharp'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { SettingsStore } from '#server/config/settings.ts'
import { auditLogEntries, publicationSettings, publicationSettingVersions } from '#server/db/schema/index.ts'
import { applySettings } from '#server/features/publishing/site-settings/apply-settings.ts'
import { emailExamples } from '#server/features/publishing/site-settings/email-examples.ts'
import { readLandingContent } from '#server/features/publishing/site-settings/page-texts.ts'
import { settingFields } from '#server/features/publishing/site-settings/setting-fields.ts'
import { mediaKey } from '#server/http/app-icon.ts'
import { staticPages } from '#server/http/serve-client-build.ts'
import { confirmationEmail } from '#server/mail/texts/account-emails.ts'
import { planCanceledEmail } from '#server/mail/texts/billing-emails.ts'
import { seedContent } from '#server/seed/seed-content.ts'
import {
  type SettingGroup,
  type SettingsPage,
  type SettingValues,
  settingGroups,
} from '#shared/contracts/publishing/site-settings.ts'
import { nearestReadableAccent } from '#shared/domain/accent-colors.ts'
import { fillDocument } from '#shared/domain/document-fields.ts'
import { fixedEmails } from '#shared/domain/fixed-emails.ts'
import { publicationDefaults } from '#shared/publication-defaults.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { plans } from '#tests/support/default-plans.ts'
import { everyEmail, everyNewsletterEmail } from '#tests/support/every-email.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { readSamples } from '../../../scripts/build/landing-samples.ts'

const server = openForTests(() => createTestApp())
const { choice } = readSamples()
const callOf = {
  publication: 'admin-publication-settings',
  pages: 'admin-page-settings',
  emails: 'admin-email-settings',
  navigation: 'admin-navigation-settings',
  legal: 'admin-legal-settings',
} as const
let settings: SettingsStore
let owner: TestUser

beforeAll(async () => {
  ;({ settings } = server.deps.config)
  owner = await buildUser(server, { admin: true, email: 'owner@example.test' })
  await seedContent(server.deps)
})
const reset = async () => {
  await server.database.db.delete(publicationSettings)
  await server.database.db.delete(publicationSettingVersions)
  await applySettings(server.database.db, server.deps.config)
}
beforeEach(reset)

const read = async (group: SettingGroup) =>
  (await call(server, callOf[group], {}, owner.token)).body as unknown as SettingsPage
const attempt = (group: SettingGroup, version: number, values: SettingValues, who = owner) =>
  call(server, callOf[group], { save: { version, values } }, who.token)
async function save(group: SettingGroup, values: SettingValues) {
  const { version } = await read(group)
  const answer = await attempt(group, version, values)
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 })
  return answer.body as unknown as SettingsPage
}
const problemsOf = async (group: SettingGroup, values: SettingValues) => {
  const { status, body } = await attempt(group, (await read(group)).version, values)
  expect(status).toBe(400)
  return body.problems as Record<string, string>
}
const landing = () => readLandingContent(server.database.db, settings.publication, choice, server.clock.now)
const confirmation = () =>
  confirmationEmail({ to: 'ana@example.test', config: server.deps.config, link: 'https://site.test/x', code: '493021' })

test('the landing page names the editor once the publisher has said who writes', async () => {
  expect((await landing()).editor).toBeNull()
  const { db } = server.database
  const value = { editorName: 'Ana Moreno', editorBio: '', contactEmail: '', corrections: [] }
  await db.insert(publicationSettings).values({ name: 'trust-pages', value, updatedAt: server.clock.now })
  expect((await landing()).editor).toBe('Ana Moreno')
  await db.delete(publicationSettings).where(eq(publicationSettings.name, 'trust-pages'))
})

describe('the defaults', () => {
  test('are the texts of the specification, to the letter', async () => {
    expect(publicationDefaults.footer).toBe('© 2025')
    expect(Object.values(plans).map(({ name, priceText }) => [name, priceText])).toEqual([
      ['Pro Monthly', '$10'],
      ['Pro Yearly', '$99'],
      ['Team Monthly', '$20'],
    ])
    const { texts } = await landing()
    const { drops, prompts, guides, tools } = texts.samples
    expect([drops, prompts, guides, tools].map(({ title }) => title)).toEqual([
      'Weekly Drops',
      'Prompt Packs',
      'Guides and Templates',
      'Tool Picks',
    ])
    expect(drops.text).toMatch(/^Practical business tips\./)
    expect(prompts.text).toBe('Copy-and-paste AI instructions.')
    expect(guides.text).toMatch(/^Visual guides and editable templates/)
    expect(tools.text).toMatch(/^Tested AI tools with examples\./)
    expect(texts.plans.title).toBe('Choose Your Plan')
    expect(texts.plans.benefits[1]).toMatch(/^All \d+ prompts, ready to copy$/)
  })

  test('apply until something is saved, and every field has one', async () => {
    for (const group of settingGroups) {
      expect(await read(group)).toMatchObject({ version: 0, values: {}, history: [], hasOlder: false })
      const names = settingFields(group).map(({ name }) => name)
      expect(new Set(names).size).toBe(names.length)
    }
  })

  test('of every email can be saved as they are, and every email has an example', async () => {
    const fields = settingFields('emails')
    const values = Object.fromEntries(fields.map((field) => [field.name, `${field.default} `]))
    expect((await save('emails', values)).values).toEqual({})
    const emails = [...new Set(fields.map(({ name }) => name.split('.')[0]))]
    expect(Object.keys(emailExamples).toSorted()).toEqual(emails.toSorted())
  })
})

test('every email that is sent can be changed, or is listed with a reason', () => {
  // The settings show one of the variants of an email.
  const variants: Record<string, string> = {
    'plan-started-trial-without-answers': 'plan-started',
    'team-started-again': 'plan-started-again',
    specimen: 'issue',
  }
  const sent = [...Object.keys(everyEmail), ...Object.keys(everyNewsletterEmail)].map((name) => variants[name] ?? name)
  const listed = [...Object.keys(emailExamples), ...fixedEmails.flatMap(({ emails }) => emails)]
  expect(listed).toHaveLength(new Set(listed).size)
  expect(listed.toSorted()).toEqual([...new Set(sent)].toSorted())
})

describe('a saved setting', () => {
  test('reaches the landing page, other pages, emails and the sender', async () => {
    await save('publication', {
      name: 'Shop & Co',
      tagline: 'For “shops”',
      description: 'One line <b>about</b> it',
      'landing.heroTitle': '{publication} for everyone',
      'landing.benefits': 'One\n\n  Two of {prompts}  ',
      'landing.question7': 'Is there a {team} plan?',
      'landing.answer7': 'Yes, for {seats}.',
      'landing.answer6': '',
    })
    const { texts } = await landing()
    expect(texts.hero.title).toBe('Shop & Co for everyone')
    expect(texts.plans.benefits).toEqual(['One', expect.stringMatching(/^Two of \d+$/)])
    expect(texts.faq.questions.map(({ question }) => question)).toEqual(
      expect.arrayContaining(['What does Team Monthly add?', 'Is there a Team Monthly plan?']),
    )
    expect(texts.faq.questions).toHaveLength(6)
    const head = fillDocument(
      '<title>%title%</title><meta content="%description%"><!--publication-->',
      settings.publication,
    )
    expect(head).toContain('<title>Shop &amp; Co: For “shops”</title>')
    expect(head).toContain('content="One line &lt;b>about&lt;/b> it"')
    expect(confirmation().subject).toBe('Confirm your email address for Shop & Co')
    expect(confirmation().html).toContain('Shop &#38; Co')
    const page = await server.request('/shared/unknown', { headers: { accept: 'text/html' } })
    expect(await page.text()).toContain('Shop &amp; Co')
  })

  test('changes an email, fills its fields, and keeps link and code', async () => {
    await save('emails', {
      'confirmation.subject': 'Hello from {publication}',
      'confirmation.lead': '<b>One</b> click and you’re in.',
      'plan-canceled.lead': 'Bye: {plan} is open until {date}. Really.',
    })
    const { subject, html, text } = confirmation()
    expect(subject).toBe('Hello from Front Counter')
    expect(html).toContain('&#60;b&#62;One&#60;/b&#62; click')
    for (const part of [html, text]) expect(part).toContain('493021')
    expect(text).toContain('https://site.test/x')
    const canceled = planCanceledEmail({
      to: 'ana@example.test',
      planName: 'Pro Monthly',
      price: null,
      config: server.deps.config,
      seats: 1,
      renewsAt: null,
      endsAt: new Date('2027-03-01T00:00:00Z'),
      isTrial: false,
    })
    expect(canceled.text).toContain('Bye: Pro Monthly is open until Mar 1, 2027. Really.')
    expect(canceled.text).toContain('Changed your mind?')
  })

  test('is in the staff log with the text before and after', async () => {
    server.clock.advance(1_000)
    await save('publication', { name: 'Shop' })
    const [row] = await server.database.db
      .select()
      .from(auditLogEntries)
      .orderBy(desc(auditLogEntries.createdAt))
      .limit(1)
    const entry = row?.payload
    expect(entry).toMatchObject({
      by: owner.email,
      changes: [{ field: 'publication.name', before: 'Front Counter', after: 'Shop' }],
    })
  })
})

describe('the files of the client build', () => {
  test('have the settings of the moment, and the service worker changes with them', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'settings-'))
    const files = {
      'index.html': '<title>%title%</title><!--publication-->',
      'shell.html': '<html lang="en"><title>%title%</title><!--publication--><!--accent-->',
      'manifest.webmanifest': '{"name":"Front Counter","short_name":"Front Counter","id":"/portal"}',
      'sw.js': 'precache([{url:"/portal",revision:"0f__SETTINGS__"}])',
    }
    for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text)
    const pages = await staticPages({ directory, settings, mode: 'sandbox' })
    const get = async (path: string) => (await pages.request(path)).text()
    expect(await get('/portal')).toContain('<title>Front Counter: Practical AI')
    expect(await get('/portal')).not.toContain('<style>')
    expect(await get('/sw.js')).toContain('revision:"0f"')
    await save('publication', { name: 'Shop', accent: '#7a1f3d' })
    expect(await get('/portal')).toContain('<title>Shop: Practical AI')
    expect(await get('/auth')).toContain('--primary:light-dark(#7a1f3d,')
    expect(await get('/')).toContain('<title>Shop:')
    expect(JSON.parse(await get('/manifest.webmanifest'))).toMatchObject({
      name: 'Shop',
      short_name: 'Shop',
      id: '/portal',
    })
    expect(await get('/sw.js')).toMatch(/revision:"0f[\w-]{8}"/)
    expect(await (await server.request('/pages.css')).text()).toContain('#7a1f3d')
    expect(confirmation().html).toContain('#7a1f3d')
    expect(confirmation().html).not.toContain('#0f533c')
    await rm(directory, { recursive: true })
  })
})

const upload = async (bytes: Uint8Array, use = 'logo') => {
  const answer = await server.request(`/functions/v1/admin-upload-logo?name=logo.png&use=${use}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${owner.token}`, 'Content-Type': 'application/octet-stream' },
    body: Buffer.from(bytes),
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}
const image = (width: number, height: number, background = '#7a1f3d') =>
  sharp({ create: { width, height, channels: 4, background } })
    .png()
    .toBuffer()

describe('a logo', () => {
  test('is scaled down, checked like an image, shown in emails, and can’t be deleted while it is used', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    const { body } = await upload(await image(1600, 400))
    for (const wrong of [
      svg,
      Buffer.from(`\u{FEFF}<?xml version="1.0"?>${svg}`),
      Buffer.from('GIF89a<svg onload="alert(1)">'),
      Buffer.from('%PDF-1.7'),
      (await image(100, 100)).subarray(0, 60),
    ]) {
      expect((await upload(wrong)).body.code).toMatch(/^(unsupported_file|invalid_image)$/)
    }
    expect((await upload(await image(9_000, 9_000))).body.code).toBe('invalid_image')
    expect(body).toMatchObject({ width: 384, height: 96 })
    await save('publication', { logo: `${body.path}#384x96` })
    expect(settings.publication.logo).toEqual({ src: body.path, width: 128, height: 32 })
    expect(confirmation().html).toContain(`src="${server.deps.config.publicUrl}${body.path}" width="128"`)
    const deletion = await call(server, 'admin-delete-image', { hash: body.hash }, owner.token)
    expect(deletion.body.code).toBe('image_in_use')
    const gone = await problemsOf('publication', { logo: `/media/${'0'.repeat(64)}.png#10x10` })
    expect(gone.logo).toContain('Upload it again')

    // An earlier version brings its logo back.
    await save('publication', {})
    expect(settings.publication.logo).toBeNull()
    const { history } = await read('publication')
    await save('publication', history[1]?.values ?? {})
    expect(settings.publication.logo?.src).toBe(body.path)
  })
})

test('a second logo is for the dark theme, a logo can stand in for the name, and neither can be deleted', async () => {
  const upload = async (background: string) => {
    const create = { width: 200, height: 50, channels: 3 as const, background }
    const image = await sharp({ create }).png().toBuffer()
    const answer = await server.request('/functions/v1/admin-upload-logo?name=logo.png', {
      method: 'POST',
      headers: { Authorization: `Bearer ${owner.token}`, 'Content-Length': String(image.byteLength) },
      body: new Uint8Array(image),
    })
    return (await answer.json()) as { path: string; hash: string; width: number; height: number }
  }
  const [light, dark] = [await upload('#123456'), await upload('#fedcba')]
  const settingOf = ({ path, width, height }: typeof light) => `${path}#${width}x${height}`
  await save('publication', { logoDark: settingOf(dark), logoUse: 'instead' })
  // Without a logo there is nothing to stand in.
  expect(settings.publication).toMatchObject({ logo: null, logoDark: null, hidesName: false })
  await save('publication', { logo: settingOf(light), logoDark: settingOf(dark), logoUse: 'instead' })
  expect(settings.publication).toMatchObject({
    logo: { src: light.path },
    logoDark: { src: dark.path },
    hidesName: true,
  })
  const header = /<a class="wordmark".*?<\/a>/s.exec(await (await server.request('/drops')).text())?.[0] ?? ''
  expect(header).toContain('aria-label="Front Counter, home"')
  expect(header).toContain(`data-logo="dark" src="${dark.path}"`)
  expect(header).not.toContain('<span>')
  expect(fillDocument('<!--accent-->', settings.publication)).toContain('[data-logo=dark]')
  expect(await (await server.request('/pages.css')).text()).toContain('[data-logo=dark]')
  expect(confirmation().html).toContain('Front Counter')
  for (const { hash } of [light, dark]) {
    const deletion = await call(server, 'admin-delete-image', { hash }, owner.token)
    expect(deletion.body.code).toBe('image_in_use')
  }
})

describe('an app icon', () => {
  test('is square and large enough', async () => {
    const { body } = await upload(await image(600, 300), 'icon')
    expect(body).toMatchObject({ width: 512, height: 256 })
    for (const size of ['512x256', '64x64']) {
      expect((await problemsOf('publication', { icon: `${body.path}#${size}` })).icon).toContain('must be square')
    }
  })

  test('replaces the tab’s icon, the installed app’s and the home screen’s, until it is removed', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'icons-'))
    const built = [
      'favicon.svg',
      'favicon.ico',
      'app-icon-192.png',
      'app-icon-512.png',
      'app-icon-maskable.png',
      'apple-touch-icon.png',
    ]
    for (const name of built) await writeFile(join(directory, name), 'built')
    await writeFile(join(directory, 'sw.js'), '[{url:"/favicon.svg",revision:"0f__SETTINGS__"}]')
    const readImage = (path: string) => server.deps.store.get(mediaKey(path))
    const pages = await staticPages({ directory, settings, mode: 'sandbox', readImage })
    const get = async (name: string) => Buffer.from(await (await pages.request(`/${name}`)).arrayBuffer())
    const { body } = await upload(await image(700, 700), 'icon')
    await save('publication', { icon: `${body.path}#512x512` })

    expect((await get('favicon.svg')).toString()).toContain('href="data:image/png;base64,')
    const sizes = []
    expect((await sharp((await get('favicon.ico')).subarray(22)).metadata()).width).toBe(32)
    for (const name of built.slice(2)) {
      const { width, height } = await sharp(await get(name)).metadata()
      sizes.push([width, height])
    }
    expect(sizes).toEqual([
      [192, 192],
      [512, 512],
      [512, 512],
      [180, 180],
    ])
    const pixelAt = async (name: string, at: number) => {
      const cut = { left: at, top: at, width: 1, height: 1 }
      return [
        ...(await sharp(await get(name))
          .extract(cut)
          .raw()
          .toBuffer()),
      ].slice(0, 3)
    }
    // Paper in the corner, which launchers cut off, and the image inside.
    expect(await pixelAt('app-icon-maskable.png', 2)).toEqual([0xf9, 0xf6, 0xf0])
    expect(await pixelAt('app-icon-maskable.png', 256)).toEqual([0x7a, 0x1f, 0x3d])
    expect((await get('sw.js')).toString()).toMatch(/revision:"0f[\w-]{8}"/)
    const deletion = await call(server, 'admin-delete-image', { hash: body.hash }, owner.token)
    expect(deletion.body.code).toBe('image_in_use')
    await save('publication', {})
    for (const name of built) expect((await get(name)).toString()).toBe('built')
    await rm(directory, { recursive: true })
  })
})

describe('a page', () => {
  const open = (path: string) => server.request(path, { headers: { accept: 'text/html' } })

  test('exists once it has a text, without HTML of its own, and the footer links to it', async () => {
    expect((await open('/privacy')).status).toBe(404)
    await save('pages', {
      privacy: '## Data\n\nWe keep **little**. <script>alert(1)</script>\n\n[x](javascript:alert(1))',
    })
    expect(settings.publication.pages).toEqual(['privacy'])
    const page = await open('/privacy')
    const text = await page.text()
    expect([page.status, page.headers.get('content-security-policy')]).toEqual([
      200,
      expect.stringContaining("default-src 'none'"),
    ])
    expect(text).toContain('<strong>little</strong>')
    expect(text).not.toMatch(/<script|href="javascript/)
    expect(text).not.toContain('noindex')
    expect(await (await open('/shared/unknown')).text()).toContain('<a href="/privacy">Privacy</a>')
    expect((await open('/terms')).status).toBe(404)
  })

  test('of the method starts with the content file’s text and keeps its criteria', async () => {
    const method = async () => (await call(server, 'method', {})).body.method as { html: string; criteria: object[] }
    const before = await method()
    const { fields } = await read('pages')
    const text = fields.find(({ name }) => name === 'method')?.default ?? ''
    expect(text).toContain('## Who pays')
    expect((await save('pages', { method: `${text}\n` })).version).toBe(0)
    await save('pages', { method: 'We **choose** with care.' })
    expect(await method()).toEqual({
      ...before,
      checkedOn: null,
      html: '<p>We <strong>choose</strong> with care.</p>\n',
    })
  })
})

describe('the history', () => {
  test('says who changed what, and an earlier version can be saved again', async () => {
    await save('publication', { name: 'One', tagline: 'First' })
    await save('publication', { name: 'Two' })
    const { history, version } = await read('publication')
    expect(history).toMatchObject([
      {
        version: 2,
        savedBy: owner.email,
        changes: [
          { field: 'name', before: 'One', after: 'Two' },
          { field: 'tagline', before: 'First', after: null },
        ],
      },
      { version: 1, values: { name: 'One', tagline: 'First' }, changes: [{ before: null }, { before: null }] },
    ])
    await attempt('publication', version, history[1]?.values ?? {})
    expect(settings.publication).toMatchObject({ name: 'One', tagline: 'First' })
    await save('publication', {})
    expect(settings.publication).toEqual(publicationDefaults)
  })

  test('of two tabs, the second is told what the first saved; saving nothing new adds no version', async () => {
    await save('publication', { name: 'One' })
    const { status, body } = await attempt('publication', 0, { name: 'Mine' })
    expect([status, body.code]).toEqual([409, 'edit_conflict'])
    expect(body.current).toEqual({ version: 1, values: { name: 'One' } })
    expect((await save('publication', { name: ' One ' })).version).toBe(1)
    const both = await Promise.all([
      attempt('emails', 0, { 'recovery.title': 'A' }),
      attempt('emails', 0, { 'recovery.title': 'B' }),
    ])
    expect(both.map((answer) => answer.status).toSorted()).toEqual([200, 409])
  })

  test('continues page by page', async () => {
    for (let number = 1; number <= 22; number += 1) await save('pages', { privacy: `Text ${number}` })
    const first = await read('pages')
    expect([first.history.length, first.hasOlder]).toEqual([20, true])
    const { body } = await call(server, callOf.pages, { historyBefore: first.history.at(-1)?.version }, owner.token)
    expect((body as unknown as SettingsPage).history.map(({ version }) => version)).toEqual([2, 1])
    expect(first.history.at(-1)?.changes).toEqual([{ field: 'privacy', before: 'Text 2', after: 'Text 3' }])
  })
})

describe('bad input is refused or cleaned', () => {
  test('empty, too long, unknown and missing fields are named one by one', async () => {
    const problems = await problemsOf('publication', {
      name: ' ',
      tagline: 'x'.repeat(121),
      'landing.heroTitle': 'From {cost}',
      logo: 'https://elsewhere.example/logo.svg',
      accent: 'red; } body { display: none',
    })
    expect(Object.keys(problems).toSorted()).toEqual(['accent', 'landing.heroTitle', 'logo', 'name', 'tagline'])
    expect(problems['landing.heroTitle']).toContain('{cost}')
    const inEmails = await problemsOf('emails', { 'plan-canceled.lead': 'Bye, {plan}.', 'recovery.title': 'Hi {plan}' })
    expect(inEmails).toEqual({
      'plan-canceled.lead': expect.stringContaining('{date}'),
      'recovery.title': expect.stringContaining('{plan}'),
    })
    expect((await read('publication')).version).toBe(0)
  })

  test('a color that can’t be read is refused with the nearest one that can', async () => {
    for (const accent of ['#ffffff', '#f9f6f0', '#ffd400', '#9be8ff']) {
      const nearest = nearestReadableAccent(accent)
      const problems = await problemsOf('publication', { accent })
      expect(problems.accent).toContain(nearest)
      await save('publication', { accent: nearest })
    }
  })

  test('no name can add a header, a line or a direction; unknown settings and HTML change nothing', async () => {
    await save('publication', {
      name: '  Evil\r\nBcc: all@example.test\u202E ',
      senderName: 'A\n"B" <c@d.example>',
      tagline: '</script><script>alert(1)</script>',
      nonsense: 'x',
      __proto__: 'y',
    })
    expect(settings.publication.name).toBe('Evil Bcc: all@example.test')
    expect(settings.publication.senderName).toBe('A "B" <c@d.example>')
    const html = fillDocument('<!--publication-->', settings.publication)
    expect(html.match(/<\/script>/g)).toHaveLength(1)
    expect((await read('publication')).values).not.toHaveProperty('nonsense')
  })

  test('names in other scripts stay as they are', async () => {
    const name = 'مكتب الاستقبال 🛎️'
    await save('publication', { name })
    expect(confirmation().subject).toBe(`Confirm your email address for ${name}`)
  })

  test('settings of a removed field are ignored', async () => {
    const now = server.clock.now
    await server.database.db
      .insert(publicationSettings)
      .values({ name: 'publication', value: { name: 'Shop', former: 'x' }, version: 3, updatedAt: now })
    expect(await read('publication')).toMatchObject({ version: 3, values: { name: 'Shop' } })
    await save('publication', { name: 'Shop 2' })
    const [row] = await server.database.db
      .select()
      .from(publicationSettings)
      .where(eq(publicationSettings.name, 'publication'))
    expect(row?.value).toEqual({ name: 'Shop 2' })
  })
})

test.each([
  ['an accent color that is a script', { accent: 'red}</style><script>alert(1)</script>' }, {}],
  ['a text over its limit', { name: 'x'.repeat(61), tagline: 'Short' }, { tagline: 'Short' }],
  ['a name with line breaks', { name: 'Shop\r\nBcc: eve@example.test' }, { name: 'Shop Bcc: eve@example.test' }],
  ['values of other types', { name: 7, tagline: ['x'] }, {}],
  ['a list instead of settings', ['x'], {}],
])('%s in the database or an archive doesn’t apply', async (_, value, values) => {
  const row = { name: 'publication', value, version: 1, updatedAt: server.clock.now }
  await server.database.db.insert(publicationSettings).values(row)
  expect((await read('publication')).values).toEqual(values)
})

describe('a preview', () => {
  test('shows an email with unsaved texts, in both themes, and saves nothing', async () => {
    const preview = async (theme: string) =>
      (
        await call(
          server,
          'admin-preview-email-text',
          { values: { 'recovery.title': 'New title' }, email: 'recovery', theme },
          owner.token,
        )
      ).body as { html: string; subject: string }
    const [light, dark] = [await preview('light'), await preview('dark')]
    for (const { html, subject } of [light, dark]) {
      expect(html).toContain('New title')
      expect(subject).toBe('Reset your Front Counter password')
    }
    expect(light.html).toContain('@media not all')
    expect(dark.html).toContain('@media all')
    expect((await read('emails')).version).toBe(0)
  })

  test('shows a name, a logo and a color on other pages and in an email, in both themes', async () => {
    const { body } = await upload(await image(400, 100))
    const values = { name: 'Shop & Co', logo: `${body.path}#384x96`, accent: '#7a1f3d' }
    const preview = async (part: string, theme: string) => {
      const answer = await call(server, 'admin-preview-publication', { values, theme, part }, owner.token)
      return String(answer.body.html)
    }
    for (const theme of ['light', 'dark']) {
      const page = await preview('drop', theme)
      expect(page).toContain(`<html data-theme="${theme}"`)
      const email = await preview('email', theme)
      expect(email).toContain(theme === 'dark' ? '@media all' : '@media not all')
      expect(email).toContain('Shop &#38; Co')
      expect(page).toContain('Shop &amp; Co')
      for (const html of [page, email]) {
        expect(html).toContain(String(body.path))
        expect(html).toContain('#7a1f3d')
      }
    }
    expect(settings.publication).toEqual(publicationDefaults)
    expect(confirmation().html).not.toContain('#7a1f3d')
  })

  test('of a wrong text says what is wrong', async () => {
    const draft = { values: { 'recovery.title': '{nothing}' }, email: 'recovery', theme: 'light' }
    const { status, body } = await call(server, 'admin-preview-email-text', draft, owner.token)
    expect([status, Object.keys(body.problems as object)]).toEqual([400, ['recovery.title']])
  })
})

describe('Settings > Legal', () => {
  const page = (path: string) => server.app.request(path, { headers: { Accept: 'text/html' } })

  test('is off at first, and every switch says whom it concerns and its source', async () => {
    const { fields } = await read('legal')
    for (const { hint } of fields) expect(hint).toMatch(/^For publishers who .* Source: /)
    expect(settings.publication.legal).toEqual({
      withdrawal: 'off',
      asksConsent: false,
      yearlyReminder: false,
      discountNotice: true,
    })
    expect(settings.publication.pages).toEqual([])
  })

  test('turns on a link in the footers of all pages', async () => {
    await save('legal', { withdrawal: 'full', asksConsent: 'on', discountNotice: 'off' })
    expect(settings.publication).toMatchObject({
      pages: ['withdraw'],
      legal: { withdrawal: 'full', asksConsent: true, yearlyReminder: false, discountNotice: false },
    })
    // Rendered pages are kept for a second.
    server.clock.advance(2_000)
    expect(await (await page('/drops')).text()).toContain('<a href="/withdraw">Withdraw from contract here</a>')
    expect(await problemsOf('legal', { withdrawal: 'maybe' })).toHaveProperty('withdrawal')
  })

  test('shows the accessibility statement once it has an address, and hides it again', async () => {
    const { fields } = await read('legal')
    const prefilled = fields.find(({ name }) => name === 'accessibility')?.default ?? ''
    expect((await page('/accessibility')).status).toBe(404)
    expect(await problemsOf('legal', { accessibility: `${prefilled}\n\nThank you.` })).toHaveProperty('accessibility')
    await save('legal', { accessibility: prefilled.replace('[your address]', '[us](mailto:access@site.test)') })
    const shown = await (await page('/accessibility')).text()
    expect(shown).toContain('href="mailto:access@site.test"')
    server.clock.advance(2_000)
    expect(await (await page('/drops')).text()).toContain('<a href="/accessibility">Accessibility</a>')
    await save('legal', { accessibility: '' })
    expect((await page('/accessibility')).status).toBe(404)
  })
})
