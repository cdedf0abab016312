import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  deliveries,
  emailEvents,
  emailPreferences,
  mailingCounts,
  publicationSettings,
} from '#server/db/schema/index.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'
import { choicesOf, type Delivered, deliver, pathOf } from '../email-preferences/support.ts'

let server: TestApp
let user: TestUser
let email: Delivered
const browser =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Safari/537.36'
const links = [
  'https://example.com/a?x=1&y=ü',
  'https://example.com/b',
  'https://example.com/c',
  'https://example.com/d',
]
const [link = ''] = links
const second = 1000

beforeAll(async () => {
  server = await createTestApp()
})
beforeEach(async () => {
  await server.database.truncate()
  server.clock.now = new Date('2026-03-01T09:00:00Z')
  user = await buildUser(server)
  await allow({})
  email = await deliver(server, user, { tracked: true, allowsTracking: true })
  server.clock.advance(3600 * second)
})
afterAll(() => server.close())

async function allow({ publication = true, member = true }) {
  const { db } = server.database
  const limits = { perSecond: null, perHour: null, perDomainHour: {}, warmUp: null }
  const value = { timeZone: 'UTC', limits, tracking: publication }
  await db.delete(publicationSettings)
  await db.insert(publicationSettings).values({ name: 'sending', value, updatedAt: server.clock.now })
  await db.delete(emailPreferences)
  await db.insert(emailPreferences).values({ userId: user.id, allowsTracking: member, updatedAt: server.clock.now })
}

const visit = (address: string, { method = 'GET', agent = browser } = {}) =>
  server.request(pathOf(address), { method, headers: { 'User-Agent': agent } })
const click = (url: string, options = {}, of = email) => visit(of.links.click?.(of.to, url) ?? '', options)
const open = (options = {}, of = email) => visit(of.links.open?.(of.to) ?? '', options)
const events = () => server.database.db.select().from(emailEvents).orderBy(emailEvents.id)
const row = async () => (await server.database.db.select().from(deliveries))[0]
/** Over all mailings. */
const counts = async () => {
  const sums: Record<string, number> = {}
  for (const { name, value } of await server.database.db.select().from(mailingCounts)) {
    if (value !== 0 && name !== 'submitted' && name !== 'delivered') sums[name] = (sums[name] ?? 0) + value
  }
  return sums
}

describe('with tracking on for publication, mailing and member', () => {
  test('an open and a click are recorded once each, and the click redirects', async () => {
    for (const _ of [1, 2]) {
      const picture = await open()
      expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/gif'])
      expect(picture.headers.get('set-cookie')).toBeNull()
      const led = await click(link)
      expect([led.status, led.headers.get('location')]).toEqual([302, link])
    }
    expect(await events()).toMatchObject([
      { source: 'self', type: 'opened', isBot: false, email: null },
      { type: 'clicked', detail: link, isBot: false },
    ])
    expect(await counts()).toEqual({ opened: 1, clicked: 1 })
    expect(await row()).toMatchObject({ openedAt: server.clock.now, clickedAt: server.clock.now })
  })

  test('bots are recorded separately: by user agent, by HEAD, and within seconds of sending', async () => {
    await open({ agent: 'Mozilla/5.0' })
    await open({ method: 'HEAD' })
    await click(link, { agent: 'Barracuda Sentinel (EE)' })
    const fresh = await deliver(server, user, { tracked: true, allowsTracking: true })
    server.clock.advance(5 * second)
    await click(link, {}, fresh)
    expect(await counts()).toEqual({ bot_opened: 1, bot_clicked: 2 })
    expect((await events()).map(({ isBot }) => isBot)).toEqual([true, true, true])
    server.clock.advance(60 * second)
    await click(link, {}, fresh)
    expect(await counts()).toEqual({ clicked: 1, bot_opened: 1, bot_clicked: 2 })
  })

  test('a reader’s click after the clock was set back by an hour isn’t a bot’s', async () => {
    server.clock.advance(-2 * 3600 * second)
    await click(link)
    expect(await counts()).toEqual({ clicked: 1 })
  })

  test('the mailing page shows readers and bots separately, with a list for each count', async () => {
    const admin = await buildUser(server, { email: 'admin@example.com', admin: true })
    await open({ agent: 'Barracuda Sentinel (EE)' })
    await click(link, { agent: 'Barracuda Sentinel (EE)' })
    await open()
    const { body } = await call(server, 'admin-mailing', { id: email.mailingId }, admin.token)
    const progress = { opened: 1, clicked: 0, botOpened: 1, botClicked: 1 }
    expect(body).toMatchObject({ tracked: true, progress })
    const behind = (feedback: string) =>
      call(server, 'admin-deliveries', { mailingId: email.mailingId, feedback }, admin.token)
    expect((await behind('bot_clicked')).body).toMatchObject({ items: [{ email: user.email }] })
    expect((await behind('clicked')).body).toMatchObject({ items: [] })
  })

  test('a burst of clicks counts as a bot, including its first clicks; a later click counts as the reader', async () => {
    const [first = '', ...others] = links
    await click(first)
    expect(await counts()).toEqual({ clicked: 1 })
    for (const url of others) await click(url)
    expect(await counts()).toEqual({ bot_clicked: 1 })
    expect((await events()).every(({ isBot }) => isBot)).toBe(true)
    server.clock.advance(3600 * second)
    await click(first)
    expect(await counts()).toEqual({ clicked: 1, bot_clicked: 1 })
  })

  test('a hundred concurrent requests are recorded once', async () => {
    await Promise.all(Array.from({ length: 100 }, (_, n) => (n % 2 ? open() : click(link))))
    expect(await events()).toHaveLength(2)
    expect(await counts()).toEqual({ opened: 1, clicked: 1 })
  })
})

test.each([
  ['the publication', { publication: false }],
  ['the member', { member: false }],
])('Nothing is recorded when %s does not allow it, and links still redirect', async (_, allowed) => {
  await allow(allowed)
  expect((await open()).status).toBe(200)
  expect((await click(link)).headers.get('location')).toBe(link)
  expect(await events()).toEqual([])
})

test('Nothing is recorded for a mailing without tracking', async () => {
  await server.database.truncate()
  user = await buildUser(server)
  await allow({})
  const silent = await deliver(server, user)
  const signed = { ...silent, links: email.links }
  await open({}, signed)
  await click(link, {}, signed)
  expect(await events()).toEqual([])
})

test('Only signed links redirect: no open redirect', async () => {
  const { pathname, searchParams } = new URL(email.links.click?.(email.to, link) ?? '')
  const token = pathname.split('/').at(-1) ?? ''
  const wrong = [
    `${pathname}?to=${encodeURIComponent('https://evil.test/')}`,
    pathname,
    `/mail/click/${token.slice(0, -1)}?to=${encodeURIComponent(searchParams.get('to') ?? '')}`,
    `/mail/click/${token.replace(/^\d+/, '999')}?to=${encodeURIComponent(link)}`,
    `/mail/click/x?to=${encodeURIComponent(link)}`,
    '/mail/open/x.gif',
    `/mail/open/${email.links.messageName(email.to)}.gif`,
    '/mail/other',
  ]
  for (const path of wrong) {
    const answer = await server.request(path, { headers: { 'User-Agent': browser } })
    expect([path, answer.status, answer.headers.get('location')]).toEqual([path, 404, null])
  }
  expect(await events()).toEqual([])
})

test('Opens and clicks do not change email preferences', async () => {
  const before = await choicesOf(server, user.id)
  await open()
  for (const url of links) await click(url)
  expect(await choicesOf(server, user.id)).toEqual(before)
})
