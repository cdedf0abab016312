import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { memberSources, pageVisits, users, visitors } from '#server/db/schema/index.ts'
import { createVisitCounter, deleteOldVisits } from '#server/features/publishing/visits/visit-counter.ts'
import type { SourcesReport } from '#shared/contracts/publishing/sources.ts'
import { openAdmin } from '#tests/integration/publishing/support.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const admin = openForTests(async () => {
  const opened = await openAdmin()
  return { ...opened, close: () => opened.server.close() }
})
const browser = (name: string) =>
  `Mozilla/5.0 (X11; Linux x86_64; ${name}) AppleWebKit/537.36 Chrome/140.0 Safari/537.36`

async function view(path: string, { as = 'one', referer = '', ...headers }: Record<string, string> = {}) {
  const answer = await admin.server.request(path, {
    headers: { Accept: 'text/html', 'User-Agent': browser(as), ...(referer && { Referer: referer }), ...headers },
  })
  await answer.text()
  return answer
}
const report = () => admin.get<SourcesReport>('admin-sources', { days: 30 })
const sourceOf = async (name: string) => (await report()).sources.find(({ source }) => source === name)
/** Views are written once a second. */
const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 10_000, interval: 50 })

test('a visit counts once for the source it began with, and its pages each time', async () => {
  const search = { as: 'reader', referer: 'https://www.google.com/search' }
  await view('/drops', search)
  await view('/drops/a-week-of-reviews', { as: 'reader', referer: 'http://localhost:3000/drops' })
  await view('/drops/a-week-of-reviews', { as: 'reader' })
  await view('/glossary', { as: 'other', referer: 'https://trade.example/list' })
  await eventually(async () => {
    expect(await sourceOf('google')).toMatchObject({ visits: 1, free: 0, paid: 0, netPaid: [] })
    expect(await sourceOf('trade.example')).toMatchObject({ visits: 1 })
    const { pages } = await report()
    expect(pages.find(({ path }) => path === '/drops/a-week-of-reviews')).toMatchObject({ views: 2 })
  })
})

test('bots, missing pages and files aren’t visits', async () => {
  const before = await report()
  await view('/drops?utm_source=bot-test', { 'User-Agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' })
  await view('/drops/no-such-drop?utm_source=bot-test')
  await view('/drops/a-week-of-reviews.md?utm_source=bot-test')
  await view('/drops?utm_source=counted', { as: 'counted' })
  await eventually(async () => {
    const { sources, botViews } = await report()
    expect(sources.some(({ source }) => source === 'counted')).toBe(true)
    expect(botViews).toBe(before.botViews + 1)
    expect(sources.some(({ source }) => source === 'bot-test')).toBe(false)
  })
})

test('a long, hostile campaign is one short line', async () => {
  await view(`/drops?utm_source=${'<b>'.repeat(20)}long&utm_campaign=${'x'.repeat(10_000)}`, { as: 'hostile' })
  await eventually(async () => {
    const rows = await admin.server.database.db.select().from(pageVisits)
    const row = rows.find(({ campaign }) => campaign.startsWith('xxx'))
    expect(row?.campaign.length).toBeLessThanOrEqual(60)
    expect(row?.source).not.toContain('<')
  })
})

test('the source of a free reader is that of their first visit, and the members list finds them by it', async () => {
  const email = 'sourced@example.test'
  await view('/drops?utm_source=podcast&utm_campaign=may', { as: 'podcast listener' })
  await eventually(async () => expect(await sourceOf('podcast')).toMatchObject({ visits: 1 }))
  const headers = {
    'Content-Type': 'application/x-www-form-urlencoded',
    'User-Agent': browser('podcast listener'),
  }
  const post = (path: string, fields: Record<string, string>) =>
    admin.server.request(path, { method: 'POST', headers, body: new URLSearchParams(fields).toString() })
  await post('/free', { email })
  const [sent] = admin.server.outbox.list(email)
  const [, token = ''] = /token=([\w-]+)/.exec(sent?.text ?? '') ?? []
  expect((await post('/free/confirm', { token })).status).toBe(200)
  const { db } = admin.server.database
  const [source] = await db
    .select({ first: memberSources.firstSource, campaign: memberSources.firstCampaign, path: memberSources.firstPath })
    .from(memberSources)
    .innerJoin(users, eq(users.id, memberSources.userId))
    .where(eq(users.email, email))
  expect(source).toEqual({ first: 'podcast', campaign: 'may', path: '/drops' })
  expect(await sourceOf('podcast')).toMatchObject({ visits: 1, free: 1, paid: 0 })
  const list = await admin.get<{ items: object[] }>('admin-members', { filter: { sources: ['podcast'] } })
  expect(list.items).toMatchObject([{ email, status: 'free' }])
})

test('someone who signs up with a password has a source too, direct without a visit', async () => {
  const answer = await admin.server.request('/auth/v1/signup', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'User-Agent': browser('unseen') },
    body: JSON.stringify({ email: 'direct@example.test', password: 'correct horse battery staple' }),
  })
  expect(answer.status).toBe(200)
  const { db } = admin.server.database
  const [row] = await db
    .select({ first: memberSources.firstSource })
    .from(memberSources)
    .innerJoin(users, eq(users.id, memberSources.userId))
    .where(eq(users.email, 'direct@example.test'))
  expect(row).toEqual({ first: 'direct' })
})

test('nothing stored tells who a visitor is: a hash that is different each day, deleted after a day', async () => {
  const { db } = admin.server.database
  const before = await db.select().from(visitors)
  expect(before.length).toBeGreaterThan(0)
  expect(JSON.stringify(before)).not.toMatch(/Mozilla|127\.0\.0\.1|::1/)
  admin.server.clock.advance(25 * 60 * 60 * 1000)
  await view('/drops', { as: 'reader', referer: 'https://www.google.com/' })
  await eventually(async () => expect((await db.select().from(visitors)).length).toBe(before.length + 1))
  await deleteOldVisits(admin.server.deps)
  expect(await db.select().from(visitors)).toHaveLength(1)
  expect((await db.select().from(pageVisits)).length).toBeGreaterThan(1)
  admin.server.clock.advance(91 * 24 * 60 * 60 * 1000)
  await deleteOldVisits(admin.server.deps)
  expect(await db.select().from(pageVisits)).toHaveLength(0)
})

test('invented sources are counted as one from the day’s three hundredth on', async () => {
  const { clock, database } = admin.server
  clock.advance(2 * 24 * 60 * 60_000)
  const count = createVisitCounter(admin.server.deps)
  for (let number = 0; number < 500; number += 1) {
    const visitor = { ip: '192.0.2.9', userAgent: `invented ${number}` }
    count({ path: '/drops', source: { source: `invented-${number}`, campaign: '' }, isBot: false, visitor })
  }
  const day = clock.now.toISOString().slice(0, 10)
  await eventually(async () => {
    const rows = await database.db.select().from(pageVisits).where(eq(pageVisits.day, day))
    expect(rows.find(({ source }) => source === 'other')).toMatchObject({ visits: 200, views: 200 })
    expect(rows).toHaveLength(301)
  })
})
