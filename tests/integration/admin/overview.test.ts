import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  backups,
  billingCustomer,
  contentItems,
  deliveries,
  duplicateSubscription,
  issues,
  revenueMonthlyTotal,
  stripeAdoption,
  stripeEvent,
  suppressions,
  tries,
  tryTotals,
} from '#server/db/schema/index.ts'
import { createEmailLinks } from '#server/features/publishing/email-preferences/email-links.ts'
import type { AdminOverview } from '#shared/contracts/operations/admin-overview.ts'
import type { StoredDocument } from '#shared/contracts/publishing/publishing.ts'
import { type StaffRole, staffRoles } from '#shared/domain/staff-roles.ts'
import { addIssue, addMailing } from '#tests/integration/mailings/sending/support.ts'
import { check, run } from '#tests/integration/member-import/support.ts'
import { addNewsletter, subscribe } from '#tests/integration/newsletters/support.ts'
import { drop } from '#tests/integration/publishing/support.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const server = openForTests(() => createTestApp({ env: { BACKUP_DESTINATION: '/var/backups' } }))
const dayMs = 24 * 60 * 60 * 1000
const now = new Date('2026-11-23T10:20:30Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs)
const old = daysAgo(200)
let staff = {} as Record<StaffRole, TestUser>

beforeEach(async () => {
  await server.database.truncate()
  server.clock.now = now
  staff = {} as Record<StaffRole, TestUser>
  for (const role of staffRoles) {
    staff[role] = await buildUser(server, { role, email: `${role}@example.test`, createdAt: old })
  }
})

const must = async <Answer>(name: string, body: object, who: TestUser = staff.owner): Promise<Answer> => {
  const answer = await call(server, name, body, who.token)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body as Answer
}
const read = (role: StaffRole = 'owner') => must<AdminOverview>('admin-overview', {}, staff[role])

test('says nothing while there is nothing to say', async () => {
  const none = { sent: 0, bounces: 0, complaints: 0, unsubscribes: 0 }
  expect(await read()).toMatchObject({
    totals: { users: 4, newThisWeek: 0, activeSubscriptions: 0, paused: 0 },
    upcoming: [],
    stuckMembers: {
      failedPayments: { count: 0, newest: [] },
      duplicates: [],
      stripeEvents: { count: 0, newest: [] },
      imported: { paying: 0 },
      suppressed: { bounced: 0, complained: 0 },
    },
    stuckMailings: { mailings: [], documents: [], unknownDeliveries: [] },
    readers: { notes: [], items: [] },
    growth: { last30Days: 0, previous30Days: 0 },
    listHealth: { last30Days: none, previous30Days: none },
    money: [{ currency: 'usd' }],
  })
})

describe('each role', () => {
  test.each([
    [
      'owner',
      ['totals', 'upcoming', 'stuckMembers', 'stuckMailings', 'readers', 'growth', 'listHealth', 'problems', 'money'],
    ],
    ['editor', ['upcoming', 'stuckMailings', 'readers', 'listHealth', 'problems']],
    ['support', ['totals', 'stuckMembers', 'growth', 'problems']],
    ['viewer', ['totals', 'growth', 'listHealth', 'money']],
  ] as const)('%s sees its parts only', async (role, parts) => {
    await buildUser(server, { email: 'mia@example.test', subscription: 'past_due' })
    const overview = await read(role)
    expect(Object.entries(overview).flatMap(([part, value]) => (value === null ? [] : [part]))).toEqual(parts)
    expect(JSON.stringify(overview).includes('mia@example.test')).toBe(role === 'owner' || role === 'support')
  })
})

describe('who is stuck', () => {
  let mia: TestUser
  beforeEach(async () => {
    mia = await buildUser(server, { email: 'mia@example.test', subscription: 'past_due' })
  })

  test('failed payments, newest first', async () => {
    const unpaidSince = daysAgo(3)
    const zoe = await buildUser(server, { subscription: 'unpaid', subscriptionFacts: { unpaidSince } })
    await buildUser(server, { subscription: 'active' })
    await buildUser(server, { subscription: 'canceled' })
    const members = [mia, zoe].map(({ id, email }) => ({ userId: id, email }))
    expect((await read()).stuckMembers?.failedPayments).toEqual({ count: 2, newest: members })
  })

  test('second plans: those that were left active, and those canceled in the last 30 days', async () => {
    const add = (subscriptionId: string, outcome: string, detectedAt: Date) =>
      server.database.db.insert(duplicateSubscription).values({
        ...{ subscriptionId, userId: mia.id, outcome, detectedAt, refundedCents: 1000, currency: 'usd' },
      })
    await add('sub_left', 'left_active', daysAgo(90))
    await add('sub_new', 'canceled', daysAgo(2))
    await add('sub_old', 'canceled', daysAgo(31))
    const about = { userId: mia.id, email: mia.email }
    expect((await read()).stuckMembers?.duplicates).toEqual([
      { ...about, id: 'sub_left', outcome: 'left_active', detectedAt: daysAgo(90).toISOString() },
      { ...about, id: 'sub_new', outcome: 'canceled', detectedAt: daysAgo(2).toISOString() },
    ])
  })

  test('events of Stripe that failed and were not processed since', async () => {
    const { db } = server.database
    await db.insert(billingCustomer).values({ userId: mia.id, stripeCustomerId: 'cus_mia' })
    const event = { type: 'invoice.paid', created: daysAgo(1), attempts: 3 }
    await db.insert(stripeEvent).values([
      { ...event, id: 'evt_1', customerId: 'cus_mia', lastError: 'timeout' },
      { ...event, id: 'evt_2', customerId: 'cus_mia', lastError: 'timeout' },
      { ...event, id: 'evt_3', customerId: 'cus_mia', lastError: 'timeout', processedAt: now },
      { ...event, id: 'evt_4', customerId: 'cus_mia', attempts: 0 },
    ])
    const newest = [{ userId: mia.id, email: mia.email }]
    expect((await read()).stuckMembers?.stripeEvents).toEqual({ count: 2, newest })
  })

  test('paying members of an import, until subscriptions are adopted', async () => {
    const file = 'email,stripe_customer_id,plan\na@paying.test,cus_1,\nb@paying.test,,Premium\nc@paying.test,,free\n'
    const checked = await check(server, staff.owner, file)
    expect(checked.counts.paying).toBe(2)
    expect((await read()).stuckMembers?.imported).toEqual({ paying: 0 })
    expect((await run(server, staff.owner, checked)).counts.paying).toBe(2)
    expect((await read()).stuckMembers?.imported).toEqual({ paying: 2 })
    const adoption = { id: randomUUID(), createdAt: now, updatedAt: now }
    await server.database.db.insert(stripeAdoption).values({ ...adoption, status: 'listed' })
    expect((await read()).stuckMembers?.imported).toEqual({ paying: 2 })
    await server.database.db.update(stripeAdoption).set({ status: 'finished' })
    expect((await read()).stuckMembers?.imported).toEqual({ paying: 0 })
  })

  test('addresses suppressed this week, each once', async () => {
    const add = (email: string, stream: string, reason: string, days: number, liftedAt: Date | null = null) =>
      server.database.db
        .insert(suppressions)
        .values({ email, stream, reason, createdAt: daysAgo(days), liftedAt, ...(liftedAt && { liftReason: 'Works' }) })
    await add('a@example.test', 'all', 'hard_bounce', 1)
    await add('b@example.test', 'all', 'soft_bounces', 6)
    await add('c@example.test', 'all', 'hard_bounce', 8)
    await add('d@example.test', 'all', 'hard_bounce', 1, now)
    await add('e@example.test', 'drops', 'complaint', 2)
    await add('e@example.test', 'news', 'complaint', 2)
    await add('f@example.test', 'all', 'manual', 2)
    expect((await read()).stuckMembers?.suppressed).toEqual({ bounced: 2, complained: 1 })
  })

  test('each number is that of the list behind its line', async () => {
    const { db } = server.database
    const days = { unpaidSince: daysAgo(3) }
    await buildUser(server, { subscription: 'unpaid', subscriptionFacts: days })
    await buildUser(server, { subscription: 'past_due', subscriptionFacts: { unpaidSince: daysAgo(30) } })
    for (const subscription of ['active', 'canceled', 'incomplete'] as const) await buildUser(server, { subscription })
    const suppress = (email: string, reason: string, ago: number) =>
      db.insert(suppressions).values({ email, stream: 'all', reason, createdAt: daysAgo(ago) })
    await suppress('a@example.test', 'hard_bounce', 1)
    await suppress('b@example.test', 'soft_bounces', 2)
    await suppress('c@example.test', 'hard_bounce', 8)
    await suppress('d@example.test', 'complaint', 1)
    await suppress('e@example.test', 'complaint', 9)
    await addIssue(server.database)
    const mailingId = await addMailing(server.database, { status: 'sent', startedAt: daysAgo(2) })
    await deliver(mailingId, ['unknown', 'unknown', 'submitted'])

    const { stuckMembers, stuckMailings } = await read()
    const lengthOf = async (name: string, query: object) => (await must<{ items: object[] }>(name, query)).items.length
    const failed = { filter: { account: ['payment_failed'] } }
    expect(stuckMembers?.failedPayments.count).toBe(3)
    expect(await lengthOf('admin-members', failed)).toBe(3)
    expect(await must('admin-count-members', failed)).toMatchObject({ count: 3, isCapped: false })
    expect(stuckMembers?.suppressed).toEqual({ bounced: 2, complained: 1 })
    expect(await lengthOf('admin-suppressions', { reason: 'bounced', days: 7 })).toBe(2)
    expect(await lengthOf('admin-suppressions', { reason: 'complaint', days: 7 })).toBe(1)
    expect(stuckMailings?.unknownDeliveries).toMatchObject([{ mailingId, count: 2 }])
    expect(await lengthOf('admin-deliveries', { mailingId, status: 'unknown' })).toBe(2)
  })

  test('each figure of the last 30 days is that of the list behind it', async () => {
    await addIssue(server.database)
    for (const days of [0, 29, 29.4, 29.6, 30, 45]) await buildUser(server, { createdAt: daysAgo(days) })
    for (const [days, count] of [
      [0.2, 2],
      [29.4, 1],
      [29.6, 3],
      [45, 1],
    ] as const) {
      const mailingId = await addMailing(server.database, { status: 'sent', startedAt: daysAgo(days) })
      await deliver(mailingId, Array(count).fill('submitted'), { bouncedAt: now, bounceType: 'hard' })
      await deliver(mailingId, ['submitted'], { bouncedAt: now, bounceType: 'soft' })
      await deliver(mailingId, ['submitted', 'submitted'], { complainedAt: now })
      await deliver(mailingId, ['submitted'])
    }
    const off = { drops: 'off', news: true, followUps: true, allowsTracking: false }
    for (const days of [0, 10, 29.4, 29.6, 31]) {
      const user = await buildUser(server, { createdAt: old })
      server.clock.now = daysAgo(days)
      await must('save-email-preferences', off, user)
    }
    server.clock.now = now

    const { growth, listHealth } = await read()
    const lengthOf = async (name: string, query: object) => {
      const ids = new Set<string>()
      let cursor: string | null = null
      do {
        const page: { items: { id: string }[]; nextCursor: string | null } = await must(name, {
          ...{ ...query, limit: 2, cursor },
        })
        for (const { id } of page.items) ids.add(id)
        cursor = page.nextCursor
      } while (cursor)
      return ids.size
    }
    expect(growth).toMatchObject({ since: '2026-10-25', last30Days: 4 })
    const joined = { filter: { joined: { from: growth?.since, to: null } } }
    expect((await must<{ items: object[] }>('admin-members', joined)).items).toHaveLength(4)
    expect(listHealth).toMatchObject({
      since: '2026-10-25',
      last30Days: { bounces: 5, complaints: 4, unsubscribes: 3 },
    })
    const since = listHealth?.since
    expect(await lengthOf('admin-email-feedback', { feedback: 'bounced', since })).toBe(5)
    expect(await lengthOf('admin-email-feedback', { feedback: 'complaint', since })).toBe(4)
    expect(await lengthOf('admin-email-feedback', { feedback: 'unsubscribed', since })).toBe(3)
  })

  test('deliveries that may not have arrived, by mailing', async () => {
    await addIssue(server.database)
    const recent = await addMailing(server.database, { status: 'sent', startedAt: daysAgo(2), subject: 'Till counts' })
    const earlier = await addMailing(server.database, { status: 'sent', startedAt: daysAgo(40) })
    for (const mailingId of [recent, earlier]) await deliver(mailingId, ['unknown', 'submitted'])
    expect((await read()).stuckMailings?.unknownDeliveries).toEqual([
      { mailingId: recent, subject: 'Till counts', count: 1 },
    ])
  })
})

let delivered = 0
/** Deliveries to people who have no account anymore. What happened to them came later. */
async function deliver(mailingId: string, all: readonly string[], later?: Partial<typeof deliveries.$inferInsert>) {
  const { db } = server.database
  for (const status of all) {
    delivered += 1
    const userId = `00000000-0000-4000-8000-${String(delivered).padStart(12, '0')}`
    await db
      .insert(deliveries)
      .values({ mailingId, userId, domain: 'example.test', reader: '{}', status, changedAt: now })
    if (later) await db.update(deliveries).set(later).where(eq(deliveries.userId, userId))
  }
}

describe('what goes out next', () => {
  const outline = (overview: AdminOverview) =>
    overview.upcoming?.map(({ title, state, needs }) => [title, state, needs.count])

  test('scheduled and unsent drops, mailings and drafts, by time, with what each still needs', async () => {
    const { db } = server.database
    const created = async (title: string) => must<StoredDocument>('admin-create-document', { kind: 'issue', title })
    const draft = await created('Half an idea')
    const ready = await created('Till counts')
    const { version } = await must<StoredDocument>('admin-save-document', {
      ...{ kind: 'issue', id: ready.id, version: ready.version },
      document: { ...drop({ date: '2026-11-24' }), title: 'Till counts' },
    })
    const at = new Date('2026-11-24T12:00:00Z').toISOString()
    await must('admin-schedule-document', { kind: 'issue', id: ready.id, version, at })

    // Published last week, and not emailed; an older one isn't waiting anymore.
    await addIssue(server.database, 'last-week', '2026-11-17')
    await addIssue(server.database, 'last-year', '2025-11-17')
    await db.update(issues).set({ publishedAt: daysAgo(6) })
    const { id: news } = await must<{ id: string }>('admin-create-mailing', { kind: 'news' })

    const overview = await read()
    expect(outline(overview)).toEqual([
      ['The drop last-week', 'published', 1],
      ['Till counts', 'scheduled', 0],
      [expect.any(String), 'draft', expect.any(Number)],
      [expect.any(String), 'draft', expect.any(Number)],
    ])
    const [, , ...drafts] = overview.upcoming ?? []
    expect(drafts.find(({ id }) => id === draft.id)?.needs.first[0]).toMatch(/is missing/)
    // No network is asked; the rest of the checks ran.
    expect(drafts.find(({ id }) => id === news)?.needs.first.join(' ')).toMatch(/subject/i)
  })

  test('mailings that are scheduled, being sent or paused by the publisher, but not follow-ups', async () => {
    await addIssue(server.database)
    await server.database.db.update(issues).set({ publishedAt: old })
    const add = (subject: string, values: Parameters<typeof addMailing>[1]) =>
      addMailing(server.database, { subject, createdAt: daysAgo(1), ...values })
    await add('Scheduled', { status: 'scheduled', scheduledAt: daysAgo(-1) })
    await add('On its way', { status: 'sending', startedAt: daysAgo(0.1) })
    await add('Paused', { status: 'paused', pauseReason: 'publisher', startedAt: daysAgo(0.2) })
    await add('Paused automatically', { status: 'paused', pauseReason: 'bounces', startedAt: daysAgo(0.2) })
    await add('Sent', { status: 'sent', startedAt: daysAgo(1) })
    await add('Asked', { kind: 'follow-up', status: 'sending', startedAt: daysAgo(0.1), issueId: null })
    const overview = await read()
    expect(overview.upcoming?.map(({ title, state }) => [title, state])).toEqual([
      ['Paused', 'paused'],
      ['On its way', 'sending'],
      ['Scheduled', 'scheduled'],
    ])
    expect(overview.stuckMailings?.mailings.map(({ subject }) => subject)).toEqual(['Paused automatically'])
  })
})

const byUserId = (one: { userId?: string }, other: { userId?: string }) =>
  String(one.userId).localeCompare(String(other.userId))

describe('the figures', () => {
  test('sign-ups by week, and against the 30 days before', async () => {
    for (const days of [0, 3, 10, 29, 35, 59, 61]) await buildUser(server, { createdAt: daysAgo(days) })
    const { growth, totals } = await read('viewer')
    expect(growth).toMatchObject({ last30Days: 4, previous30Days: 2 })
    expect(growth?.weeks).toHaveLength(12)
    expect(growth?.weeks.slice(-2)).toEqual([
      { from: '2026-11-10', signUps: 1 },
      { from: '2026-11-17', signUps: 2 },
    ])
    expect(growth?.weeks.reduce((sum, { signUps }) => sum + signUps, 0)).toBe(7)
    expect(totals).toEqual({ users: 11, newThisWeek: 2, activeSubscriptions: 0, paused: 0 })
  })

  test('bounces and complaints in the week of their mailing, and readers who turned emails off, each once', async () => {
    await addIssue(server.database)
    const recent = await addMailing(server.database, { status: 'sent', startedAt: daysAgo(2) })
    const earlier = await addMailing(server.database, { status: 'sent', startedAt: daysAgo(40) })
    await deliver(recent, ['submitted', 'submitted'])
    await deliver(recent, ['submitted'], { bouncedAt: now, bounceType: 'hard' })
    await deliver(recent, ['submitted'], { complainedAt: now })
    await deliver(earlier, ['submitted'], { bouncedAt: now, bounceType: 'soft' })

    const [mia, zoe, ida] = await Promise.all([1, 2, 3].map(() => buildUser(server, { createdAt: old })))
    if (!mia || !zoe || !ida) throw new Error('No members')
    const oneClick = createEmailLinks(server.deps, { kind: 'issue' }).oneClick({ userId: mia.id, deliveryId: '1' })
    const off = { drops: 'off', news: true, followUps: true, allowsTracking: false }
    // Two clicks in the email count once.
    for (const _ of [1, 2]) {
      await server.request(new URL(oneClick).pathname, {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: 'List-Unsubscribe=One-Click',
      })
    }
    await Promise.all([1, 2].map(() => must('save-email-preferences', off, zoe)))
    await must('save-email-preferences', { ...off, drops: 'monthly' }, ida)
    // Back on again: not lost.
    const ben = await buildUser(server, { createdAt: old })
    for (const drops of ['off', 'weekly']) await must('save-email-preferences', { ...off, drops }, ben)
    // A newsletter that the publisher added counts, too; a complaint about one doesn't.
    const eve = await buildUser(server, { createdAt: old })
    const lou = await buildUser(server, { createdAt: old })
    await addNewsletter(server.database.db)
    await subscribe(server.database.db, 1, eve.id)
    await must('save-email-preferences', { ...off, drops: 'weekly', newsletters: [{ id: 1, subscribed: false }] }, eve)
    await subscribe(server.database.db, 1, lou.id, false)
    await server.database.db
      .insert(suppressions)
      .values({ email: lou.email, stream: 'newsletter:1', reason: 'complaint', createdAt: now })
    const unsubscribed = await must<{ items: object[] }>('admin-email-feedback', {
      ...{ feedback: 'unsubscribed', since: '2026-10-25' },
    })
    expect(unsubscribed.items.toSorted(byUserId)).toMatchObject(
      [
        ...[mia, zoe].map(({ id, email }) => ({ userId: id, email, off: ['drops'], newsletters: [], mailing: null })),
        { userId: eve.id, email: eve.email, off: [], newsletters: ['Recipes 1'], mailing: null },
      ].toSorted(byUserId),
    )

    const { listHealth } = await read('viewer')
    expect(listHealth?.last30Days).toEqual({ sent: 4, bounces: 1, complaints: 1, unsubscribes: 3 })
    expect(listHealth?.previous30Days).toEqual({ sent: 1, bounces: 1, complaints: 0, unsubscribes: 0 })
    expect(listHealth?.weeks.at(-1)).toEqual({ from: '2026-11-17', ...listHealth?.last30Days })
  })

  test('recurring revenue by month', async () => {
    const total = (month: string, name: string, cents: number, count: number) => ({
      ...{ month, plan: 'pro_monthly', name, cents, count },
    })
    await server.database.db
      .insert(revenueMonthlyTotal)
      .values([
        total('2026-10-01', 'new', 24_000, 2),
        total('2026-11-01', 'new', 12_000, 1),
        total('2026-11-01', 'lost', -12_000, -1),
        total('2026-11-01', 'expansion', 6_000, 0),
        total('2026-11-01', 'paid', 2_500, 2),
      ])
    const [money] = (await read('viewer')).money ?? []
    expect(money?.months).toHaveLength(12)
    expect(money?.months.slice(-2)).toEqual([
      { month: '2026-10', mrrCents: 2_000, customers: 2, newCustomers: 2, lostCustomers: 0, paidCents: 0 },
      { month: '2026-11', mrrCents: 2_500, customers: 2, newCustomers: 1, lostCustomers: 1, paidCents: 2_500 },
    ])
  })
})

test('backups that fail, have stopped or can’t be restored, until a later one is fine', async () => {
  const add = (hours: number, values: Partial<typeof backups.$inferInsert>) => {
    const id = randomUUID()
    const startedAt = daysAgo(hours / 24)
    const destination = { name: id, destination: '/var/backups', origin: 'schedule' }
    return server.database.db.insert(backups).values({ id, startedAt, status: 'done', ...destination, ...values })
  }
  const backup = async (role: StaffRole = 'owner') => (await read(role)).problems?.find(({ kind }) => kind === 'backup')
  expect(await backup()).toMatchObject({ title: 'There’s no backup yet' })
  await add(90, { status: 'failed', error: 'No space left' })
  await add(1, { status: 'running' })
  expect(await backup()).toMatchObject({ title: 'The newest backup failed', since: daysAgo(90 / 24).toISOString() })
  await add(80, {})
  expect(await backup()).toMatchObject({ title: 'Backups have stopped', since: daysAgo(80 / 24).toISOString() })
  await add(20, { drillPassed: false, drilledAt: daysAgo(19 / 24) })
  expect(await backup()).toMatchObject({ title: 'The newest backup can’t be restored' })
  expect(await backup('support')).toMatchObject({ path: '/admin/settings/backups' })
  await add(10, { drillPassed: true, drilledAt: daysAgo(9 / 24) })
  expect(await backup()).toBeUndefined()
})

test('what readers tried and said: shared notes without a name, and newly counted answers', async () => {
  const { db } = server.database
  const mia = await buildUser(server, { email: 'mia@example.test', subscription: 'active' })
  await db.insert(contentItems).values(
    ['one', 'two'].map((id) => ({
      ...{ kind: 'prompt' as const, id, title: `Prompt ${id}`, path: `/portal/prompt-packs#${id}` },
      ...{ publishedAt: old, changedAt: old },
    })),
  )
  const answer = { userId: mia.id, kind: 'prompt' as const, startedAt: daysAgo(8), answeredAt: daysAgo(1) }
  await db.insert(tries).values([
    { ...answer, itemId: 'one', outcome: 'worked', note: 'Saved a shift.', sharedAt: daysAgo(1) },
    { ...answer, itemId: 'two', outcome: 'did-not-work', note: 'Private.' },
  ])
  const breakdown = { trades: [], levels: [], plans: [], minutes: null }
  await db.insert(tryTotals).values([
    { kind: 'prompt', itemId: 'one', worked: 5, breakdown, countedAt: daysAgo(3) },
    { kind: 'prompt', itemId: 'two', worked: 6, breakdown, countedAt: daysAgo(2) },
  ])
  const { readers } = await read('editor')
  expect(readers?.notes).toMatchObject([{ id: 'one', outcome: 'worked', note: 'Saved a shift.' }])
  expect(JSON.stringify(readers)).not.toMatch(/mia@|Private/)
  expect(readers?.items.map(({ id, totals }) => [id, totals.worked])).toEqual([
    ['two', 6],
    ['one', 5],
  ])
})
