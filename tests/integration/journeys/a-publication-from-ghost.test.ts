import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { fetchNothing } from '#server/features/operations/post-import/fetch-file.ts'
import type { openPostThread } from '#server/features/operations/post-import/open-post-thread.ts'
import { createPostThreadCalls } from '#server/features/operations/post-import/post-thread-calls.ts'
import { postImportSteps } from '#server/features/operations/post-import/run-post-import.ts'
import { sendStaffEvents } from '#server/features/operations/staff-emails/send-staff-emails.ts'
import { prepareMailing } from '#server/features/publishing/mailings/sending/prepare-mailing.ts'
import { startSender } from '#server/features/publishing/mailings/sending/start-sender.ts'
import { readLandingContent } from '#server/features/publishing/site-settings/page-texts.ts'
import { staticPages } from '#server/http/serve-client-build.ts'
import type { PostImportItem } from '#shared/contracts/operations/post-imports.ts'
import type { SettingsPage } from '#shared/contracts/publishing/site-settings.ts'
import { addMailing, statusOf, until } from '#tests/integration/mailings/sending/support.ts'
import { check, run as runMemberImport } from '#tests/integration/member-import/support.ts'
import { ghostExport, zipOf } from '#tests/integration/post-import/support.ts'
import { openAdmin } from '#tests/integration/publishing/support.ts'
import { buildUser } from '#tests/support/build-user.ts'
import { clientFor } from '#tests/support/client-for.ts'
import { continueRuns } from '#tests/support/continue-runs.ts'
import { emailsOf } from '#tests/support/every-email.ts'
import { emailConfig } from '#tests/support/newsletter-email.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { requireBuild } from '#tests/support/require-build.ts'

const start = new Date('2026-11-28T10:00:00Z')
const desk = openForTests(async () => {
  const opened = await openAdmin({ now: start })
  return { ...opened, close: () => opened.server.close() }
})

const gated = (audience: string, text: string) =>
  `<!--kg-gated-block:begin ${audience} --><p>${text}</p><!--kg-gated-block:end-->`
const divider = '<!--members-only-->'
/** OPEN: everyone. CLOSED: those who pay. NEVER: no one, until the publisher publishes it. */
const posts = [
  {
    slug: 'crumb',
    title: 'Crumb',
    html: '<p>OPEN-crumb-1</p><h2>OPEN-crumb-2</h2><p>OPEN-crumb-3 <a href="__GHOST_URL__/paid-loaf/">the paid one</a></p>',
  },
  {
    slug: 'for-members',
    title: 'For members',
    visibility: 'members',
    html: '<p>CLOSED-members-1</p><h2>CLOSED-members-2</h2><p>More.</p>',
  },
  {
    slug: 'paid-loaf',
    title: 'Paid loaf',
    visibility: 'paid',
    html: '<p>CLOSED-paid-1</p><p>CLOSED-paid-2</p><h2>CLOSED-paid-3</h2>',
  },
  {
    slug: 'for-a-tier',
    title: 'For a tier',
    visibility: 'tiers',
    html: '<p>CLOSED-tier-1</p><h2>CLOSED-tier-2</h2><p>More.</p>',
  },
  {
    slug: 'half-open',
    title: 'Half open',
    visibility: 'paid',
    html: `<p>OPEN-half-1</p>${divider}<p>CLOSED-half-2</p><h2>CLOSED-half-3</h2><p>CLOSED-half-4</p>`,
  },
  {
    slug: 'with-cards',
    title: 'With cards',
    html: `<p>OPEN-cards-1</p>${gated('nonMember:false memberSegment:"status:-free"', 'CLOSED-cards-2')}<h2>OPEN-cards-3</h2><p>OPEN-cards-4</p>`,
  },
  {
    slug: 'by-email',
    title: 'By email',
    status: 'sent',
    html: '<p>NEVER-email-1</p><h2>NEVER-email-2</h2><p>Text.</p>',
  },
  { slug: 'unfinished', title: 'Unfinished', status: 'draft', published_at: null, html: '<p>NEVER-draft-1</p>' },
]
const open = ['crumb-1', 'crumb-2', 'crumb-3', 'half-1', 'cards-1', 'cards-3', 'cards-4'].map((mark) => `OPEN-${mark}`)

/** Ten pay at Stripe, five are complimentary, ten are free, three unsubscribed and two were never confirmed there. */
const members = [
  'id,email,name,note,subscribed_to_emails,complimentary_plan,stripe_customer_id,created_at,deleted_at,labels,tiers,gift_id',
  ...Array.from({ length: 30 }, (_, n) =>
    [
      `6b${n}`,
      `m${n}@ghost.example.test`,
      `Member ${n}`,
      '',
      n < 27,
      n >= 10 && n < 15,
      n < 10 ? `cus_Ghost${n}` : '',
      '2024-01-02T03:04:05.000Z',
      '',
      '',
      n < 10 ? 'Gold' : '',
      '',
    ].join(','),
  ),
].join('\n')

const openFile: typeof openPostThread = async (path, name) => {
  const calls = createPostThreadCalls(path, name)
  return { ...calls, ...(await calls.list()), close: async () => {} }
}

async function change(call: string, values: Record<string, string>) {
  const stored = await desk.get<SettingsPage>(call, {})
  await desk.get(call, { save: { version: stored.version, values: { ...stored.values, ...values } } })
}

/** As Getting started asks: name and look, samples, navigation, questions. Everything else stays as it comes. */
async function setUp() {
  await desk.get('admin-remove-samples', {})
  await change('admin-publication-settings', { name: 'Rye & Rise', footer: '© 2026' })
  await change('admin-navigation-settings', { tabs: '/portal/weekly-drops Letters' })
  const { items } = await desk.get<{ items: { question: string; version: number; options: object[] }[] }>(
    'admin-questions',
    {},
  )
  for (const { question, version, options, ...rest } of items) {
    const { name, wording, hint } = rest as unknown as Record<string, string>
    const kept = (options as { key: string; label: string; description: string; retired: boolean }[])
      .filter(({ retired }) => !retired)
      .map(({ key, label, description }) => ({ key, label, description }))
    await desk.get('admin-save-question', { question, version, name, wording, hint, options: kept, off: true })
  }
}

async function importPosts() {
  const file = await zipOf({ 'export.json': ghostExport(posts) })
  const { body } = await desk.upload('admin-upload-posts', { name: 'export.zip' }, file)
  const id = String(body.id)
  const { deps } = desk.server
  const work = () => continueRuns(deps, postImportSteps({ ...deps, fetchFile: fetchNothing, openFile }))
  await work()
  await desk.get('admin-start-post-import', { id, publish: true })
  await work()
  return (await desk.get<{ items: PostImportItem[] }>('admin-post-import-items', { id })).items
}

/** The app with the built pages, as the server has it. */
async function openSite() {
  const { deps } = desk.server
  const directory = (name: string) => fileURLToPath(new URL(`../../../dist/${name}`, import.meta.url))
  const pages = await staticPages({
    directory: directory('client'),
    mode: deps.config.mode,
    settings: deps.config.settings,
    landing: {
      directory: directory('pages'),
      maxAgeMs: 0,
      logger: { error: (...failure: unknown[]) => expect.fail(JSON.stringify(failure)) },
      readContent: (choice) =>
        readLandingContent(deps.database.db, deps.config.settings.publication, choice, desk.server.clock.now),
    },
  })
  return createApp({ ...deps, extraRoutes: [pages] })
}

async function sendEdition(issueId: string) {
  const { deps, database, outbox } = desk.server
  const id = await addMailing(database, { issueId, subject: `Edition ${issueId}`, preheader: 'From the bench.' })
  await prepareMailing(deps, id)
  const sender = await startSender(deps, { idleMs: 20 })
  await until(async () => (await statusOf(database, id)) === 'sent')
  await sender.stop(1_000)
  return outbox.list().filter(({ subject }) => subject === `Edition ${issueId}`)
}

/** Words of the publication that comes with the product. What a person reads: no addresses, scripts, styles or names of settings. */
const ours =
  /[^.>\n]{0,40}(?:Front Counter|franchis|\bA\.?I\b|ChatGPT|royalt|prompt pack|weekly|each week|every (?:week|Tuesday)|a week\b|\bdrops?\b|Glossary|Safety rules|How we choose|Start here|Corrections)[^<\n]{0,40}/gi
const readable = (text: string) =>
  text
    .replaceAll(/<(script|style)\b[^>]*>.*?<\/\1>/gs, ' ')
    .replaceAll(/<meta name="[^"]*(?:description|title)" content="([^"]*)"[^>]*>/g, ' $1 ')
    .replaceAll(/\s(?:href|src|id|class|for|name|action|content|srcset|data-[\w-]+)="[^"]*"/g, ' ')
    .replaceAll(/https?:\/\/[^\s<]+|\/(?:drops|portal|media)[^\s<]*/g, ' ')
const oursIn = (text: string) => readable(text).match(ours) ?? []

test('a publication that comes from Ghost has no word of ours, and opens and closes what it did there', {
  timeout: 30_000,
}, async () => {
  requireBuild()
  const { server, ann } = desk
  await setUp()
  const imported = await importPosts()
  expect(imported.map(({ title, result, readers }) => [title, result, readers])).toEqual([
    ['Crumb', 'published', 'everyone'],
    ['For members', 'published', 'members'],
    ['Paid loaf', 'published', 'members'],
    ['For a tier', 'published', 'members'],
    ['Half open', 'published', 'part'],
    ['With cards', 'published', 'part'],
    ['By email', 'imported', 'everyone'],
    ['Unfinished', 'imported', 'everyone'],
  ])
  const options = { complimentaryUntil: '2028-06-30', vouchConfirmed: true, freeEdition: true, invite: true }
  const { counts } = await runMemberImport(server, ann, await check(server, ann, members, options))
  expect(counts).toMatchObject({ new: 30, complimentary: 5, paying: 10 })

  const site = await openSite()
  const get = async (path: string, token = '') => {
    server.clock.advance(1_001)
    const answer = await site.request(path, {
      headers: { Accept: 'text/html', ...(token && { Authorization: `Bearer ${token}` }) },
    })
    return answer.text()
  }
  const found: Record<string, string[]> = {}
  const read = (where: string, text: string) => {
    const words = oursIn(text)
    if (words.length > 0) found[where] = words
    return text
  }

  // A visitor and a crawler.
  const sitemap = await get('/sitemap.xml')
  const listed = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = '']) => new URL(address).pathname)
  const drops = listed.filter((path) => /^\/drops\/[^/]+$/.test(path))
  expect(drops).toHaveLength(6)
  const others = ['/', '/free', '/auth', '/feed.xml', '/feed.json', '/llms.txt', '/robots.txt', '/manifest.webmanifest']
  const pages = new Map<string, string>()
  for (const path of [...new Set([...listed, ...drops.map((path) => `${path}.md`), ...others])])
    pages.set(path, read(path, await get(path)))
  for (const [path, text] of pages) expect(text.match(/(?:CLOSED|NEVER)[\w-]*/g), path).toBeNull()
  const all = [...pages.entries()].flatMap(([path, text]) => (path.startsWith('/drops/') ? [text] : [])).join('\n')
  for (const mark of open) {
    expect(all, mark).toContain(mark)
    expect(pages.get('/feed.xml'), mark).toContain(mark)
  }
  expect(await get('/paid-loaf/')).not.toContain('CLOSED')

  // A free reader, and members.
  const free = await buildUser(server, { email: 'free@letters.example.test' })
  const pro = await buildUser(server, { email: 'pro@letters.example.test', subscription: 'active' })
  const answers = async (who: typeof free) => {
    const { issues = [] } = (await desk.ask('weekly-drops', {}, who)).body as { issues?: { slug: string }[] }
    const opened = await Promise.all(drops.map((path) => desk.ask('weekly-drop', { slug: path.slice(7) }, who)))
    return { issues, text: JSON.stringify(opened.map(({ body }) => body)) }
  }
  expect((await answers(free)).text).not.toMatch(/CLOSED|NEVER/)
  const whole = await answers(pro)
  expect(whole.issues).toHaveLength(6)
  expect(whole.text).not.toContain('NEVER')
  for (const [mark] of posts.flatMap(({ html }) => [...html.matchAll(/(?:OPEN|CLOSED)-[a-z]+-\d/g)]))
    expect(whole.text, mark).toContain(mark)
  const { url } = await desk.get<{ url: string }>('member-feed', {}, pro)
  const ownFeed = read('the member’s feed', await get(new URL(url).pathname))
  expect(ownFeed).toContain('CLOSED-tier-2')
  expect(ownFeed).not.toContain('NEVER')

  // Emails: invitations to the imported, the welcome, an edition to members and free readers, and what staff get.
  await clientFor(server).auth.signUp({ email: 'new@letters.example.test', password: 'correct horse battery' })
  await desk.ask('onboarding-welcome', {}, pro)
  await desk.get('admin-staff-emails', { save: { kind: 'member', on: true } })
  await sendStaffEvents(server.deps)
  for (const path of drops) {
    const sent = await sendEdition(path.slice(7))
    const to = (address: string) => sent.find((email) => email.to === address)
    expect(sent.map((email) => email.to)).not.toContain('m28@ghost.example.test')
    for (const mark of open.filter((each) => pages.get(path)?.includes(each)))
      expect(to('m20@ghost.example.test')?.html, mark).toContain(mark)
    expect(to('m20@ghost.example.test')?.html ?? '').not.toMatch(/CLOSED|NEVER/)
    expect(to('m3@ghost.example.test')?.html ?? '').not.toMatch(/CLOSED|NEVER/)
    expect(to('m12@ghost.example.test')?.html).toMatch(/CLOSED|OPEN/)
  }
  for (const { to, subject, html, text } of server.outbox.list()) {
    read(`email to ${to}: ${subject}`, `${subject}\n${html ?? ''}`)
    read(`email to ${to}: ${subject} (text)`, text)
  }
  // Every other email, with the publisher's settings.
  const examples = /A week of reviews|a week of reviews|giving AI one|franchise-group\.example/g
  for (const [name, { subject, html, text }] of Object.entries(
    emailsOf({ ...emailConfig, settings: server.deps.config.settings }),
  ))
    read(name, `${subject}\n${html}\n${text}`.replaceAll(examples, ''))
  const { name, tagline, description, navigation, tabLedes, labels } = server.deps.config.settings.publication
  const texts = [name, tagline, description, ...Object.values(tabLedes), ...Object.values(labels)]
  const links = [navigation.tabs, navigation.footer, navigation.members].flat().map(({ label }) => label)
  read('the settings that every page has', [...texts, ...links].join('\n'))
  expect(found).toEqual({})
})
