import { beforeAll, expect, test } from 'vitest'
import { contentDocument, publicationSettings } from '#server/db/schema/index.ts'
import { readSetupItems } from '#server/features/operations/setup-checklist/read-setup-items.ts'
import { applySettings } from '#server/features/publishing/site-settings/apply-settings.ts'
import { seedContent } from '#server/seed/seed-content.ts'
import type { SetupItem } from '#shared/contracts/operations/setup-checklist.ts'
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

const read = async () =>
  (await call(server, 'admin-setup-checklist', { withDns: false }, owner.token)).body.items as SetupItem[]
const missing = (items: readonly SetupItem[]) => items.filter(({ isDone }) => !isDone).map(({ key }) => key)

test('the list begins with what a publisher decides, and the server comes after it', async () => {
  const items = await read()
  expect(items.slice(0, 7).map(({ key }) => key)).toEqual([
    'look',
    'plans',
    'questions',
    'import',
    'landing',
    'welcome-series',
    'first-drop',
  ])
  const parts = items.map(({ part }) => part)
  expect(parts).toEqual(parts.toSorted())
  expect(items.every(({ part, variables }) => (part === 'server') === variables.length > 0)).toBe(true)
})

test('a new publication misses everything, and each item leads to a page or names its variables', async () => {
  const items = await read()
  expect(missing(items)).toEqual(items.map(({ key }) => key))
  for (const { path, variables, title } of items) expect(Boolean(path) !== variables.length > 0, title).toBe(true)
  expect(items.find(({ key }) => key === 'second-factor')?.detail).toContain(owner.email)
})

test('what staff have settled is done; sample drops don’t count as drops of one’s own', async () => {
  const { db } = server.database
  const now = server.clock.now
  const sending = {
    timeZone: 'UTC',
    limits: { perSecond: null, perHour: null, perDomainHour: {}, warmUp: null },
    tracking: false,
  }
  await db.insert(publicationSettings).values([
    { name: 'sending', value: { ...sending, postalAddress: '1 Main St\nSpringfield' }, updatedAt: now },
    { name: 'publication', value: { name: 'Rye & Rise', 'landing.heroTitle': 'Better bread' }, updatedAt: now },
    { name: 'pages', value: { privacy: 'We keep little.', terms: 'Be kind.' }, updatedAt: now },
  ])
  await applySettings(db, server.deps.config)
  const before = missing(await read())
  expect(before).toContain('first-drop')
  expect(before).not.toEqual(expect.arrayContaining(['postal-address', 'privacy', 'terms', 'look', 'landing']))
  for (const key of ['look', 'landing', 'privacy']) expect(before).not.toContain(key)
  await db.update(contentDocument).set({ editedInAdmin: true })
  const after = missing(await read())
  for (const key of ['first-drop', 'import']) expect(after).not.toContain(key)
})

test('the environment of a complete production server is done', async () => {
  const { config } = server.deps
  const complete = {
    ...config,
    mode: 'production' as const,
    publicUrl: 'https://news.example',
    stripe: { ...config.stripe, kind: 'live' as const, webhookSecrets: ['whsec_1'] },
    mail: {
      kind: 'smtp' as const,
      url: 'smtp://mail.example',
      from: 'news@news.example',
      connections: 1,
      dkim: { domain: 'news.example', selector: 's1', privateKey: 'key' },
    },
    backup: { ...config.backup, isScheduled: true, key: { kind: 'given' as const, value: 'k'.repeat(32) } },
  }
  const items = await readSetupItems({ ...server.deps, config: complete }, { withDns: false })
  expect(missing(items.filter(({ variables }) => variables.length > 0))).toEqual([])
  const without = {
    ...complete,
    stripe: { ...complete.stripe, webhookSecrets: [] },
    mail: { ...complete.mail, dkim: null },
  }
  const partly = await readSetupItems({ ...server.deps, config: without }, { withDns: false })
  expect(missing(partly.filter(({ variables }) => variables.length > 0))).toEqual(['stripe-webhook', 'dkim'])
})
