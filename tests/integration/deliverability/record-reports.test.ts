import { eq, isNull, type SQL, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { queryRows } from '#server/db/database.ts'
import { deliveries, emailEvents, mailingCounts, suppressions } from '#server/db/schema/index.ts'
import type { DeliveryReport } from '#server/features/publishing/deliverability/delivery-report.ts'
import { recordReports } from '#server/features/publishing/deliverability/record-reports.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { caseCount } from '#tests/support/case-count.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'
import { buildMailing, choicesOf, type Delivered, deliver } from '../email-preferences/support.ts'

let server: TestApp
let user: TestUser
const hour = 3_600_000

beforeAll(async () => {
  server = await createTestApp()
})
beforeEach(async () => {
  await server.database.truncate()
  server.clock.now = new Date('2026-03-01T09:00:00Z')
  user = await buildUser(server, { email: 'mia@example.test' })
})
afterAll(() => server.close())

const reportOf = (
  of: Delivered | null,
  given: Partial<DeliveryReport> & Pick<DeliveryReport, 'type'>,
): DeliveryReport => ({
  source: 'generic',
  externalId: crypto.randomUUID(),
  deliveryId: of?.deliveryId ?? null,
  email: null,
  subject: null,
  detail: null,
  occurredAt: null,
  ...given,
})
const take = (...reports: DeliveryReport[]) => recordReports(server.deps, reports)
const live = () =>
  server.database.db
    .select({ email: suppressions.email, stream: suppressions.stream, reason: suppressions.reason })
    .from(suppressions)
    .where(isNull(suppressions.liftedAt))
    .orderBy(suppressions.email, suppressions.stream)
const deliveryOf = async ({ deliveryId }: Delivered) =>
  (
    await server.database.db
      .select()
      .from(deliveries)
      .where(eq(deliveries.id, Number(deliveryId)))
  )[0]
const lift = () =>
  server.database.db.update(suppressions).set({ liftedAt: server.clock.now, liftedBy: 'admin', liftReason: 'mended' })

describe('a bounce', () => {
  test('that is hard suppresses the address at once and is counted', async () => {
    const message = await deliver(server, user)
    await take(reportOf(message, { type: 'hard_bounce', detail: '550 5.1.1 User unknown' }))
    expect(await live()).toEqual([{ email: user.email, stream: 'all', reason: 'hard_bounce' }])
    const [row] = await server.database.db.select().from(suppressions)
    expect(row).toMatchObject({ detail: '550 5.1.1 User unknown', mailingId: message.mailingId, createdBy: null })
    expect(await deliveryOf(message)).toMatchObject({ bounceType: 'hard', bouncedAt: server.clock.now })
    const counts = await server.database.db.select().from(mailingCounts).where(eq(mailingCounts.name, 'hard_bounces'))
    expect(counts).toMatchObject([{ value: 1 }])
  })

  test('that is soft is counted, and three in a row suppress the address', async () => {
    for (const n of [1, 2, 3]) {
      server.clock.advance(24 * hour)
      expect(await live()).toEqual([])
      const message = await deliver(server, user)
      await take(reportOf(message, { type: 'soft_bounce', externalId: `soft-${n}` }))
    }
    expect(await live()).toEqual([{ email: user.email, stream: 'all', reason: 'soft_bounces' }])
  })

  test('in which the server refuses us suppresses no one, whatever the provider calls it', async () => {
    for (const detail of [
      '550 5.1.0 <bounces@news.example.net> sender rejected',
      '550 5.1.1 IP address blacklisted by recipient',
      '550 5.1.1 Too many messages from your network',
      '550 5.7.26 This message fails to pass DMARC checks',
    ]) {
      server.clock.advance(24 * hour)
      await take(reportOf(await deliver(server, user), { type: 'hard_bounce', detail }))
      await take(reportOf(await deliver(server, user), { type: 'soft_bounce', detail }))
    }
    expect(await live()).toEqual([])
  })

  test('that is soft no longer counts after a delivered email', async () => {
    for (const arrives of [false, false, true, false, false]) {
      server.clock.advance(24 * hour)
      const message = await deliver(server, user)
      if (!arrives) await take(reportOf(message, { type: 'soft_bounce' }))
    }
    expect(await live()).toEqual([])
  })

  test('that is soft and reported three times for one email counts once', async () => {
    const message = await deliver(server, user)
    for (let n = 0; n < 5; n += 1) await take(reportOf(message, { type: 'soft_bounce' }))
    expect(await live()).toEqual([])
    expect((await deliveryOf(message))?.bounceType).toBe('soft')
  })

  test('of an unknown email counts once a day', async () => {
    const about = { type: 'soft_bounce', email: 'Mia@Example.test' } as const
    for (const day of [1, 1, 1, 2]) {
      await take(reportOf(null, { ...about, occurredAt: new Date(`2026-02-0${day}T10:00:00Z`) }))
    }
    expect(await live()).toEqual([])
    await take(reportOf(null, { ...about, occurredAt: new Date('2026-02-03T10:00:00Z') }))
    expect(await live()).toEqual([{ email: user.email, stream: 'all', reason: 'soft_bounces' }])
  })

  test('that is hard replaces soft ones, and neither changes a manual suppression', async () => {
    await server.database.db
      .insert(suppressions)
      .values({ email: user.email, stream: 'all', reason: 'soft_bounces', createdAt: server.clock.now })
    await take(reportOf(await deliver(server, user), { type: 'hard_bounce' }))
    expect(await live()).toMatchObject([{ reason: 'hard_bounce' }])
    await server.database.db.update(suppressions).set({ reason: 'manual' })
    await take(reportOf(await deliver(server, user), { type: 'hard_bounce' }))
    expect(await live()).toMatchObject([{ reason: 'manual' }])
  })

  test('from before the suppression was lifted does not restore it; a later one does', async () => {
    const message = await deliver(server, user)
    const before = new Date(server.clock.now.getTime() - hour)
    await take(reportOf(message, { type: 'hard_bounce', externalId: 'first', occurredAt: before }))
    server.clock.advance(hour)
    await lift()
    server.clock.advance(hour)
    await take(
      reportOf(message, { type: 'hard_bounce', externalId: 'first' }),
      reportOf(message, { type: 'hard_bounce', externalId: 'late', occurredAt: before }),
    )
    expect(await live()).toEqual([])
    await take(reportOf(message, { type: 'hard_bounce' }))
    expect(await live()).toMatchObject([{ reason: 'hard_bounce' }])
  })
})

describe('a complaint', () => {
  test('suppresses the stream of the email and turns it off', async () => {
    await take(reportOf(await deliver(server, user, { kind: 'news' }), { type: 'complaint' }))
    expect(await live()).toEqual([{ email: user.email, stream: 'news', reason: 'complaint' }])
    expect(await choicesOf(server, user.id)).toMatchObject({ drops: 'weekly', news: false })
    const digest = await deliver(server, user, { kind: 'digest' })
    await take(reportOf(digest, { type: 'complaint' }))
    expect(await live()).toMatchObject([{ stream: 'drops' }, { stream: 'news' }])
    expect(await choicesOf(server, user.id)).toMatchObject({ drops: 'off', news: false })
    expect((await deliveryOf(digest))?.complainedAt).toEqual(server.clock.now)
  })

  test('about an unknown email suppresses all streams', async () => {
    await take(reportOf(null, { type: 'complaint', email: user.email }))
    expect(await live()).toMatchObject([
      { stream: 'assignments' },
      { stream: 'drops' },
      { stream: 'follow-ups' },
      { stream: 'news' },
      { stream: 'replies' },
    ])
    expect(await choicesOf(server, user.id)).toMatchObject({
      drops: 'off',
      news: false,
      followUps: false,
      assignments: false,
      replies: 'off',
    })
  })

  test('about a follow-up stops follow-ups only', async () => {
    await take(reportOf(await deliver(server, user, { kind: 'follow-up' }), { type: 'complaint' }))
    expect(await live()).toMatchObject([{ stream: 'follow-ups', reason: 'complaint' }])
    expect(await choicesOf(server, user.id)).toMatchObject({ drops: 'weekly', news: true, followUps: false })
  })
})

describe('the delivery', () => {
  test('is found by subject if a provider returns nothing else', async () => {
    const mailingId = await buildMailing(server, { subject: 'The one' })
    const meant = await deliver(server, user, { mailingId })
    const other = await deliver(server, user)
    await take(reportOf(null, { type: 'soft_bounce', email: user.email, subject: 'The one' }))
    expect((await deliveryOf(meant))?.bounceType).toBe('soft')
    expect((await deliveryOf(other))?.bounceType).toBeNull()
  })

  test('must be known for a report received by email', async () => {
    await take(
      reportOf(null, { source: 'dsn', type: 'hard_bounce', email: user.email }),
      reportOf(null, { source: 'arf', type: 'complaint', email: user.email, subject: 'Three replies' }),
      reportOf(null, { source: 'dsn', type: 'hard_bounce', deliveryId: '4711', email: user.email }),
    )
    expect(await live()).toEqual([])
    expect(await server.database.db.select().from(emailEvents)).toEqual([])
  })

  test('determines the address, regardless of the report', async () => {
    const message = await deliver(server, user)
    await take(reportOf(message, { source: 'dsn', type: 'hard_bounce', email: 'victim@example.test' }))
    expect(await live()).toMatchObject([{ email: user.email }])
  })

  test('of a deleted account is counted without a suppression', async () => {
    const message = await deliver(server, user)
    await server.database.db.update(deliveries).set({ email: null })
    await take(reportOf(message, { type: 'hard_bounce', email: user.email }))
    expect(await live()).toEqual([])
    expect((await deliveryOf(message))?.bounceType).toBe('hard')
    expect(await server.database.db.select().from(emailEvents)).toMatchObject([{ email: null }])
  })
})

test('Report texts are truncated to the column limits', async () => {
  await take(
    reportOf(null, {
      type: 'hard_bounce',
      email: 'a\0b@example.test',
      externalId: 'x'.repeat(9000),
      detail: `\ud800\0${'long '.repeat(900)}`,
      occurredAt: new Date('2999-01-01'),
    }),
  )
  const [event] = await server.database.db.select().from(emailEvents)
  expect(event).toMatchObject({ email: 'ab@example.test', occurredAt: server.clock.now })
  expect(event?.externalId).toHaveLength(64)
  expect(event?.detail?.length).toBeLessThanOrEqual(500)
})

/** The final state, without ids that count arrivals. */
async function stateOf() {
  const { db } = server.database
  const rows = (statement: SQL) => queryRows(db, statement)
  return {
    deliveries: await rows(sql`select id, bounced_at, bounce_type, complained_at from deliveries order by id`),
    suppressions: await rows(
      sql`select email, stream, reason, detail, mailing_id from suppressions order by email, stream`,
    ),
    preferences: await rows(sql`select user_id, drops, news from email_preferences order by user_id`),
    counts: await rows(sql`select mailing_id, name, value from mailing_counts where value <> 0 order by 1, 2`),
    events: await rows(sql`select source, external_id, type, delivery_id from email_events order by 1, 2`),
  }
}

test('Reports in any order and with duplicates lead to the same state', async () => {
  const second = await buildUser(server, { email: 'noa@example.test' })
  const mailings = await Promise.all(
    (['issue', 'news', 'issue', 'digest'] as const).map((kind, n) =>
      buildMailing(server, { kind, subject: `Nr ${n}` }),
    ),
  )
  const sent: Delivered[] = []
  for (const mailingId of mailings) {
    server.clock.advance(hour)
    for (const to of [user, second]) sent.push(await deliver(server, to, { mailingId }))
  }
  const start = server.clock.now.getTime()
  server.clock.advance(100 * hour)
  const anyReport = fc.record({
    message: fc.option(fc.constantFrom(...sent), { nil: null }),
    type: fc.constantFrom('hard_bounce', 'soft_bounce', 'soft_bounce', 'soft_bounce', 'complaint'),
    at: fc.integer({ min: 0, max: 80 }),
    email: fc.constantFrom(user.email, second.email),
  })
  const forget = () =>
    server.database.db.execute(sql`do $$ begin
      truncate email_events, suppressions, email_preferences;
      update deliveries set bounced_at = null, bounce_type = null, complained_at = null;
    end $$`)
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyReport, { minLength: 1, maxLength: 12 }),
      fc.array(fc.nat(), { minLength: 30, maxLength: 30 }),
      async (given, order) => {
        const reports = given.map(({ message, type, at, email }, nr) =>
          reportOf(message, {
            type: type as DeliveryReport['type'],
            externalId: `report ${nr}`,
            email,
            detail: `number ${nr}`,
            occurredAt: new Date(start + at * hour),
          }),
        )
        await forget()
        await take(...reports)
        const expected = await stateOf()
        await forget()
        // Every report at least once, in random order with repetitions, some alone and some in batches.
        const shuffled = [...order.map((at) => reports[at % reports.length] as DeliveryReport), ...reports]
        for (let at = 0; at < shuffled.length; at += 3) await take(...shuffled.slice(at, at + 3))
        expect(await stateOf()).toEqual(expected)
      },
    ),
    { numRuns: caseCount(5, 15) },
  )
})
