import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { queryRows } from '#server/db/database.ts'
import { emailEvents, emailPreferences, mailingLinks, mailings, publicationSettings } from '#server/db/schema/index.ts'
import { recordEngagement } from '#server/features/publishing/deliverability/record-engagement.ts'
import { recordReports } from '#server/features/publishing/deliverability/record-reports.ts'
import type { DeliveriesPage, DeliveryFilter } from '#shared/contracts/publishing/deliveries.ts'
import type { MailingReport } from '#shared/contracts/publishing/mailing-report.ts'
import type { Mailing } from '#shared/contracts/publishing/mailings.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { caseCount } from '#tests/support/case-count.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'
import { buildMailing, type Delivered, deliver, pathOf } from '../email-preferences/support.ts'

let server: TestApp
let admin: TestUser
const hour = 3_600_000
const startedAt = new Date('2026-03-01T09:10:00Z')

beforeAll(async () => {
  server = await createTestApp()
})
beforeEach(async () => {
  await server.database.truncate()
  server.clock.now = startedAt
  admin = await buildUser(server, { email: 'admin@example.test', admin: true })
  const limits = { perSecond: null, perHour: null, perDomainHour: {}, warmUp: null }
  await server.database.db
    .insert(publicationSettings)
    .values({ name: 'sending', value: { timeZone: 'UTC', limits, tracking: true }, updatedAt: startedAt })
})
afterAll(() => server.close())

const must = async <Answer>(name: string, body: object): Promise<Answer> => {
  const answer = await call(server, name, body, admin.token)
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 })
  return answer.body as Answer
}
const reportOf = (id: string) => must<MailingReport>('admin-mailing-report', { id })
const progressOf = async (id: string) => (await must<Mailing>('admin-mailing', { id })).progress
const listOf = async (mailingId: string, filter: DeliveryFilter) =>
  (await must<DeliveriesPage>('admin-deliveries', { mailingId, ...filter })).items.map(({ email }) => email)

/** A mailing that has started, with one email per reader. */
async function send(readers: readonly TestUser[], options: Parameters<typeof buildMailing>[1] & { at?: Date } = {}) {
  const { at = startedAt, ...given } = options
  server.clock.now = at
  const id = await buildMailing(server, { tracked: true, ...given })
  await server.database.db.update(mailings).set({ startedAt: at }).where(eq(mailings.id, id))
  const sent: Delivered[] = []
  for (const reader of readers) {
    sent.push(await deliver(server, reader, { mailingId: id, tracked: true, allowsTracking: true }))
  }
  server.clock.now = startedAt
  return { id, sent }
}

async function buildReaders(count: number): Promise<TestUser[]> {
  const readers: TestUser[] = []
  for (let n = 0; n < count; n += 1) {
    const reader = await buildUser(server, { email: `reader-${n}@example.test` })
    const choices = { userId: reader.id, allowsTracking: true, updatedAt: startedAt }
    await server.database.db.insert(emailPreferences).values(choices)
    readers.push(reader)
  }
  return readers
}

const bounce = ({ deliveryId }: Delivered, type: 'hard_bounce' | 'soft_bounce', detail: string) =>
  recordReports(server.deps, [
    {
      source: 'generic',
      externalId: crypto.randomUUID(),
      deliveryId,
      email: null,
      subject: null,
      detail,
      occurredAt: null,
      type,
    },
  ])

test('The report shows what happened by hour, by link and by cause, and each number opens its list', async () => {
  const readers = await buildReaders(6)
  const { id, sent } = await send(readers)
  const [a, b, c, d, e] = sent as [Delivered, Delivered, Delivered, Delivered, Delivered]
  const at = (hours: number) => new Date(startedAt.getTime() + hours * hour)
  const seen = (of: Delivered, type: 'opened' | 'clicked', hours: number, url = '', isBot = false) =>
    recordEngagement(server.deps, [{ deliveryId: of.deliveryId, type, url, isBot, at: at(hours) }])
  await seen(a, 'opened', 1)
  await seen(a, 'clicked', 2, 'https://example.com/tool')
  await seen(b, 'opened', 1)
  await seen(b, 'clicked', 2, 'https://example.com/tool')
  await seen(b, 'clicked', 5, 'https://example.com/guide')
  await seen(c, 'clicked', 3, 'https://example.com/tool', true)
  await bounce(d, 'hard_bounce', '550 5.1.1 User unknown')
  await bounce(e, 'soft_bounce', '452 4.2.2 Mailbox full')
  server.clock.now = at(4)
  const left = await server.request(pathOf(a.links.oneClick(a.to)), {
    method: 'POST',
    body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
  })
  expect(left.status).toBe(200)
  server.clock.now = startedAt

  const none = { submitted: 0, opened: 0, clicked: 0, unsubscribed: 0 }
  expect(await reportOf(id)).toEqual({
    hours: [
      { ...none, at: '2026-03-01T09:00:00.000Z', submitted: 6 },
      { ...none, at: '2026-03-01T10:00:00.000Z', opened: 2 },
      { ...none, at: '2026-03-01T11:00:00.000Z', clicked: 2 },
      { ...none, at: '2026-03-01T13:00:00.000Z', unsubscribed: 1 },
    ],
    links: [
      { url: 'https://example.com/tool', readers: 2, bots: 1 },
      { url: 'https://example.com/guide', readers: 1, bots: 0 },
    ],
    bounceCauses: [
      { cause: 'mailbox_full', count: 1 },
      { cause: 'unknown_address', count: 1 },
    ],
    previous: [],
  })
  expect(await progressOf(id)).toMatchObject({
    total: 6,
    delivered: 4,
    opened: 2,
    clicked: 2,
    unsubscribed: 1,
    hardBounces: 1,
    softBounces: 1,
  })
  const email = (index: number) => readers[index]?.email
  expect(await listOf(id, { feedback: 'delivered' })).toEqual([email(0), email(1), email(2), email(5)])
  expect(await listOf(id, { feedback: 'bounced' })).toEqual([email(3), email(4)])
  expect(await listOf(id, { feedback: 'unsubscribed' })).toEqual([email(0)])
  expect(await listOf(id, { bounceCause: 'mailbox_full' })).toEqual([email(4)])
  expect(await listOf(id, { link: 'https://example.com/tool' })).toEqual([email(0), email(1)])
  expect(await listOf(id, { link: 'https://example.com/guide' })).toEqual([email(1)])
})

test.for([
  ['5.1.1 The email account that you tried to reach does not exist', 'unknown_address'],
  ['550 No such user here', 'unknown_address'],
  ['552 5.2.2 Over quota', 'mailbox_full'],
  ['554 5.7.1 Message rejected due to spam content', 'blocked'],
  ['550 5.4.1 Recipient address rejected: Access denied', 'unknown_address'],
  ['Connection timed out', 'unreachable'],
  ['550 5.1.2 Host or domain name not found', 'unreachable'],
  ['552 5.3.4 Message size exceeds fixed maximum message size', 'too_large'],
  ['', 'other'],
])('A bounce with “%s” counts as %s', async ([detail, cause]) => {
  const { id, sent } = await send(await buildReaders(1))
  await bounce(sent[0] as Delivered, 'hard_bounce', detail ?? '')
  expect((await reportOf(id)).bounceCauses).toEqual([{ cause, count: 1 }])
})

test('Turning off the stream on the page of the link counts as an unsubscribe, another choice doesn’t, and once counts', async () => {
  const { id, sent } = await send(await buildReaders(1))
  const { links, to } = sent[0] as Delivered
  const token = new URL(links.unsubscribePage(to)).searchParams.get('token')
  const save = (choices: object) =>
    call(server, 'save-email-choices-by-link', { token, news: true, followUps: true, ...choices })
  expect((await save({ drops: 'monthly' })).status).toBe(200)
  expect((await progressOf(id)).unsubscribed).toBe(0)
  for (const drops of ['off', 'weekly', 'off']) expect((await save({ drops })).status).toBe(200)
  expect((await progressOf(id)).unsubscribed).toBe(1)
})

test('It compares with the last five mailings of the same kind that started before it', async () => {
  const readers = await buildReaders(1)
  const week = (n: number) => new Date(startedAt.getTime() + n * 7 * 24 * hour)
  const ids: string[] = []
  for (const n of [0, 1, 2, 3, 4, 5, 6]) {
    ids.push((await send(readers, { at: week(n), subject: `Drop ${n}`, tracked: n % 2 === 0 })).id)
  }
  await send(readers, { at: week(5), kind: 'news', subject: 'News' })
  const { previous } = await reportOf(ids[6] as string)
  expect(previous.map(({ subject }) => subject)).toEqual(['Drop 5', 'Drop 4', 'Drop 3', 'Drop 2', 'Drop 1'])
  expect(previous[0]).toMatchObject({ tracked: false, progress: { total: 1, delivered: 1 } })
})

test('A draft has an empty report, and an unknown mailing none', async () => {
  const id = await buildMailing(server, {})
  expect(await reportOf(id)).toEqual({ hours: [], links: [], bounceCauses: [], previous: [] })
  const unknown = await call(server, 'admin-mailing-report', { id: crypto.randomUUID() }, admin.token)
  expect(unknown.status).toBe(404)
})

test('Whatever readers and bots do in whatever order, the kept counts equal a recount of deliveries and events', async () => {
  const readers = await buildReaders(3)
  const urls = ['https://example.com/1', 'https://example.com/2', 'https://example.com/3', 'https://example.com/4']
  const action = fc.record({
    reader: fc.nat(2),
    type: fc.constantFrom('opened' as const, 'clicked' as const, 'bounce' as const),
    url: fc.constantFrom(...urls),
    isBot: fc.boolean(),
    minutes: fc.nat(300),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 25 }), async (actions) => {
      const { id, sent } = await send(readers)
      for (const { reader, type, url, isBot, minutes } of actions) {
        const to = sent[reader] as Delivered
        const at = new Date(startedAt.getTime() + minutes * 60_000)
        if (type === 'bounce') await bounce(to, isBot ? 'hard_bounce' : 'soft_bounce', '')
        else {
          const event = { deliveryId: to.deliveryId, type, url: type === 'clicked' ? url : '', isBot, at }
          await recordEngagement(server.deps, [event])
        }
      }
      const { db } = server.database
      const kept = await queryRows(
        db,
        sql`select hour, name, value::int from mailing_hours where mailing_id = ${id} and value <> 0 order by hour, name`,
      )
      const recounted = await queryRows(
        db,
        sql`select date_trunc('hour', at, 'UTC') as hour, name, count(*)::int as value from (
            select changed_at as at, 'submitted' as name from deliveries where mailing_id = ${id} and status = 'submitted'
            union all select opened_at, 'opened' from deliveries where mailing_id = ${id}
            union all select clicked_at, 'clicked' from deliveries where mailing_id = ${id}
          ) happened where at is not null group by 1, 2 order by 1, 2`,
      )
      expect(kept).toEqual(recounted)
      const links = await queryRows(
        db,
        sql`select url, readers::int, bots::int from mailing_links
          where mailing_id = ${id} and readers + bots <> 0 order by url`,
      )
      const clicks = await queryRows(
        db,
        sql`select detail as url, (count(*) filter (where not is_bot))::int as readers,
            (count(*) filter (where is_bot))::int as bots
          from email_events e join deliveries d on d.id = e.delivery_id
          where d.mailing_id = ${id} and type = 'clicked' group by 1 order by 1`,
      )
      expect(links).toEqual(clicks)
    }),
    { numRuns: caseCount(5, 15) },
  )
})

test('Deleting what an event said, as for a deleted account, takes it out of the links', async () => {
  const { id, sent } = await send(await buildReaders(1))
  const { deliveryId } = sent[0] as Delivered
  const at = new Date(startedAt.getTime() + hour)
  await recordEngagement(server.deps, [{ deliveryId, type: 'clicked', url: 'https://example.com/x', isBot: false, at }])
  await server.database.db.update(emailEvents).set({ detail: null })
  const [link] = await server.database.db.select().from(mailingLinks).where(eq(mailingLinks.mailingId, id))
  expect(link).toMatchObject({ readers: 0, bots: 0 })
  expect((await reportOf(id)).links).toEqual([])
})
