import { fileURLToPath } from 'node:url'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { plan, publicationSettings } from '#server/db/schema/index.ts'
import { takeOverPlans } from '#server/features/billing/subscriptions/plan-store.ts'
import { applySettings } from '#server/features/publishing/site-settings/apply-settings.ts'
import { readLandingContent } from '#server/features/publishing/site-settings/page-texts.ts'
import { staticPages } from '#server/http/serve-client-build.ts'
import { confirmationEmail } from '#server/mail/texts/account-emails.ts'
import { welcomeEmail } from '#server/mail/texts/welcome-emails.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { requireBuild } from '#tests/support/require-build.ts'

const directory = (name: string) => fileURLToPath(new URL(`../../../dist/${name}`, import.meta.url))

type Look = { name: string; subject: string; planName: string; accent: string; icon: string }
const looks: Record<'bakery' | 'garage', Look> = {
  bakery: {
    name: 'Bakery Notes',
    subject: 'Fresh from {publication}',
    planName: 'Baker’s Dozen',
    accent: '#7a1f3d',
    icon: '#ff0000',
  },
  garage: {
    name: 'Garage Weekly',
    subject: 'Straight from {publication}',
    planName: 'Full Service',
    accent: '#1f3d7a',
    icon: '#0000ff',
  },
}

/** A server with its own name, texts, icon and plans. */
async function openPublication({ name, subject, planName, accent, icon }: Look) {
  const server = await createTestApp({ config: { publicUrl: `https://${name.split(' ')[0]?.toLowerCase()}.test` } })
  const { config } = server.deps
  const { db } = server.database
  const iconPath = `/media/${'0'.repeat(64)}.png`
  const settings = {
    publication: { name, accent, icon: `${iconPath}#512x512` },
    emails: { 'confirmation.subject': subject },
  }
  await db.insert(publicationSettings).values(
    Object.entries(settings).map(([group, values]) => ({
      name: group,
      value: JSON.stringify(values),
      updatedAt: server.clock.now,
    })),
  )
  await takeOverPlans(db, config)
  await db.update(plan).set({ name: planName }).where(eq(plan.key, 'pro_monthly'))
  const image = await sharp({ create: { width: 512, height: 512, channels: 3, background: icon } })
    .png()
    .toBuffer()
  const pages = await staticPages({
    directory: directory('client'),
    mode: config.mode,
    settings: config.settings,
    landing: {
      directory: directory('pages'),
      maxAgeMs: 0,
      logger: { error: (...failure: unknown[]) => expect.fail(JSON.stringify(failure)) },
      readContent: (choice) => readLandingContent(db, config.settings.publication, choice, server.clock.now),
    },
    readImage: async () => image,
  })
  const app = createApp({ ...server.deps, extraRoutes: [pages] })
  return { app, config, db, close: () => server.close() }
}

const both = openForTests(async () => {
  const bakery = await openPublication(looks.bakery)
  const garage = await openPublication(looks.garage)
  return { bakery, garage, close: () => Promise.all([bakery.close(), garage.close()]).then(() => {}) }
})
beforeAll(async () => {
  requireBuild()
  // In this order, so that values that belong to the process would be those of the second.
  await applySettings(both.bakery.db, both.bakery.config)
  await applySettings(both.garage.db, both.garage.config)
})

const names = ['bakery', 'garage'] as const
const otherOf = { bakery: looks.garage, garage: looks.bakery }
const get = async (name: (typeof names)[number], path: string) =>
  Buffer.from(await (await both[name].app.request(path)).arrayBuffer())

test('two servers in one process render their own landing page, at the same time', async () => {
  const pages = await Promise.all(names.map((name) => get(name, '/')))
  for (const [index, name] of names.entries()) {
    const page = String(pages[index])
    // The markup, and the settings that the browser reads from the document.
    expect(page.slice(page.indexOf('<header'))).toContain(looks[name].name)
    expect(page).toContain(`"name":"${looks[name].name}"`)
    expect(page).toContain(looks[name].planName)
    expect(page).toContain(looks[name].accent)
    for (const text of [otherOf[name].name, otherOf[name].planName, otherOf[name].accent])
      expect(page).not.toContain(text)
  }
})

test.each(names)('the emails of the %s have its name, texts, colors, plans and address', (name) => {
  const { config } = both[name]
  const { html, subject } = confirmationEmail({
    to: 'ana@example.test',
    config,
    link: 'https://x.test',
    code: '493021',
  })
  expect(subject).toBe(looks[name].subject.replace('{publication}', looks[name].name))
  expect(html).toContain(looks[name].name)
  expect(html).toContain(looks[name].accent)
  const next = { kind: 'checkout', plan: 'pro_monthly' } as const
  const { text } = welcomeEmail({ first: { areas: [], match: false, drops: [] }, next, config })
  expect(text).toContain(looks[name].planName)
  expect(text).toContain(`${config.publicUrl}/checkout/pro_monthly`)
})

test.each(names)('the %s has its own manifest, app icon and stylesheet', async (name) => {
  expect(JSON.parse(String(await get(name, '/manifest.webmanifest')))).toMatchObject({ name: looks[name].name })
  const { dominant } = await sharp(await get(name, '/app-icon-192.png')).stats()
  expect(dominant.r > dominant.b).toBe(name === 'bakery')
  expect(String(await get(name, '/pages.css'))).toContain(looks[name].accent)
  expect(String(await get(name, '/drops'))).toContain(looks[name].name)
})

test('a change of one leaves the other as it is', async () => {
  const { bakery, garage } = both
  const before = garage.config.settings.publication
  await bakery.db.update(plan).set({ name: 'Loaf' }).where(eq(plan.key, 'pro_monthly'))
  await applySettings(bakery.db, bakery.config)
  expect(bakery.config.settings.publication.plans[0]?.name).toBe('Loaf')
  expect(garage.config.settings.publication).toBe(before)
})
