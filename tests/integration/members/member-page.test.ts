import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  accountEmails,
  auditLogEntries,
  billingCustomer,
  businessLocation,
  complimentaryAccess,
  deliveries,
  mailings,
  memberNotes,
  readingState,
  revenueChange,
  revenueCustomer,
  revenueInvoice,
  stripeEvent,
  subscriptionState,
  suppressions,
  userRoles,
} from '#server/db/schema/index.ts'
import type { Member, TimelineEntry, TimelineKind } from '#shared/contracts/operations/member-page.ts'
import { ageAuthentication, auditEntries, openOtherSession } from '#tests/integration/account/support.ts'
import { addMailing } from '#tests/integration/mailings/sending/support.ts'
import { addItems } from '#tests/integration/saved/support.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const server = openForTests(() => createTestApp())
const start = new Date('2026-11-01T10:00:00Z')
const at = (day: number) => new Date(start.getTime() + day * 24 * 60 * 60 * 1000)
let owner: TestUser
let support: TestUser
let mia: TestUser
beforeEach(async () => {
  await server.database.truncate()
  server.clock.now = at(28)
  owner = await buildUser(server, { admin: true })
  support = await buildUser(server)
  await server.database.db.insert(userRoles).values({ userId: support.id, role: 'support' })
  mia = await buildUser(server, {
    email: 'mia@example.test',
    createdAt: start,
    data: { full_name: 'Mia Roth' },
    subscription: 'active',
    preferences: { focusAreas: ['Finance'], createdAt: at(1), updatedAt: at(2) },
  })
  await server.database.db.delete(auditLogEntries)
  await server.database.db.delete(accountEmails)
})

const ask = (name: string, body: object, who = owner) => call(server, name, body, who.token)
type Page = { items: TimelineEntry[]; nextCursor: string | null }
async function page(query: object = {}, who = owner): Promise<Page> {
  const { status, body } = await ask('admin-member-timeline', { userId: mia.id, ...query }, who)
  expect(status, JSON.stringify(body)).toBe(200)
  return body as Page
}
const lines = ({ items }: Page) => items.map(({ at, kind, title }) => `${at.slice(5, 10)} ${kind}: ${title}`)

const logged = (event: string, when: Date, more: object = {}) => ({
  id: crypto.randomUUID(),
  payload: { action: event, user_id: mia.id, email: mia.email, ...more },
  createdAt: when,
  ipAddress: '203.0.113.7',
})

async function fillTimeline() {
  const { db } = server.database
  await db.insert(memberNotes).values({
    id: crypto.randomUUID(),
    userId: mia.id,
    text: 'Met in Reno.',
    createdAt: at(20),
    createdBy: 'Ada',
    updatedAt: at(20),
    updatedBy: 'Ada',
  })
  await db.insert(accountEmails).values({
    id: crypto.randomUUID(),
    email: mia.email,
    subject: 'Confirm your email',
    status: 'sent',
    requestedAt: at(0.5),
    changedAt: at(0.5),
  })
  const mailing = await addMailing(server.database, { issueId: 'one', subject: 'Till counts', status: 'sent' })
  await db
    .update(mailings)
    .set({ startedAt: at(7) })
    .where(sql`id = ${mailing}::uuid`)
  await db.insert(deliveries).values({
    mailingId: mailing,
    issueId: 'one',
    userId: mia.id,
    email: mia.email,
    domain: 'example.test',
    reader: '{}',
    status: 'submitted',
    changedAt: at(7),
    openedAt: at(8),
    clickedAt: at(9),
  })
  await db.insert(suppressions).values({ email: mia.email, stream: 'news', reason: 'unsubscribed', createdAt: at(12) })
  await db.insert(billingCustomer).values({ userId: mia.id, stripeCustomerId: 'cus_mia' })
  await db.insert(revenueCustomer).values({ customerId: 'cus_mia', syncSeq: 1, stateHash: 'x' })
  await db.insert(revenueChange).values({
    customerId: 'cus_mia',
    at: at(3),
    plan: 'pro_monthly',
    kind: 'new',
    yearlyCents: 12000,
    customers: 1,
  })
  await db.insert(revenueInvoice).values({
    id: 'in_1',
    customerId: 'cus_mia',
    subscriptionId: 'sub_1',
    plan: 'pro_monthly',
    status: 'paid',
    createdAt: at(4),
    periodStart: at(4),
    periodEnd: at(34),
    currency: 'usd',
    dueCents: 1000,
    paidCents: 1000,
    refundedCents: 250,
    attempts: 2,
    paidAt: at(6),
    failedAt: at(5),
  })
  await db
    .insert(stripeEvent)
    .values({ id: 'evt_1', type: 'charge.refunded', created: at(10), customerId: 'cus_mia', processedAt: at(10) })
  await db
    .insert(complimentaryAccess)
    .values({ userId: mia.id, until: at(15), grantedBy: 'Ada', grantedAt: at(11), note: 'Press' })
  await db.insert(auditLogEntries).values([
    logged('signed_in', at(13), { user_agent: 'tests' }),
    logged('access_granted', at(11), { by: 'ada@example.test', note: 'Press' }),
    logged('invoice_refunded', at(10.5), {
      by: 'ada@example.test',
      changes: [{ field: 'refunded', before: '$0.00', after: '$2.50' }],
    }),
    logged('factor_enrolled', at(14), { note: 'totp' }),
  ])
}

const everything = [
  '11-21 notes: Note',
  '11-16 access: Complimentary access ended',
  '11-15 security: Added a two-step method',
  '11-14 security: Signed in',
  '11-13 emails: Address suppressed: Product news',
  '11-12 access: Complimentary access granted',
  '11-11 staff: Refunded an invoice',
  '11-11 payments: Payment refunded',
  '11-08 emails: Till counts',
  '11-07 payments: Paid $10.00',
  '11-06 payments: Payment failed: $10.00',
  '11-04 access: First payment: plan started',
  '11-03 account: Changed their answers',
  '11-02 account: Answered the questions',
  '11-01 emails: Confirm your email',
  '11-01 account: Joined',
]

describe('the timeline', () => {
  test('merges every source, newest first', async () => {
    await fillTimeline()
    const all = await page()
    expect(lines(all)).toEqual(everything)
    const paid = async (who: TestUser) => (await ask('admin-member', { userId: mia.id }, who)).body as Member
    expect(await paid(owner)).toMatchObject({ price: { amountCents: 1000 }, payingSince: at(6).toISOString() })
    expect(await paid(support)).toMatchObject({ price: null, payingSince: at(6).toISOString() })
    expect(all.nextCursor).toBeNull()
    const of = (title: string) => all.items.find((item) => item.title === title)
    expect(of('Till counts')).toMatchObject({
      details: ['Weekly drop', 'Delivered to the mail server', 'Opened Nov 9, 2026', 'Clicked Nov 10, 2026'],
      mailingId: expect.any(String),
    })
    expect(of('Note')).toMatchObject({ details: ['Met in Reno.'], by: 'Ada' })
    expect(of('Complimentary access granted')).toMatchObject({ details: ['Press'], by: 'ada@example.test' })
    expect(of('Changed their answers')?.details[0]).toBe('Focus areas: Finance')
  })

  test.each<[TimelineKind, RegExp]>([
    ['account', / account: /],
    ['emails', / emails: /],
    ['payments', / payments: /],
    ['access', / access: /],
    ['security', / security: /],
    ['notes', / notes: /],
    ['staff', / (staff: Refunded|access: Complimentary access granted)/],
  ])('filtered by %s', async (kind, pattern) => {
    await fillTimeline()
    expect(lines(await page({ kind }))).toEqual(everything.filter((line) => pattern.test(line)))
  })

  test.each([1, 2, 3, 7])('pages of %i contain everything once, in the same order', async (limit) => {
    await fillTimeline()
    // Several events in one microsecond, in one table and in two.
    const same = Array.from({ length: 5 }, () => logged('signed_in', at(7)))
    await server.database.db.insert(auditLogEntries).values(same)
    const whole = await page({ limit: 100 })
    const found: TimelineEntry[] = []
    let cursor: string | null = null
    do {
      const next: Page = await page({ limit, cursor })
      found.push(...next.items)
      cursor = next.nextCursor
    } while (cursor !== null)
    expect(found.map(({ id }) => id)).toEqual(whole.items.map(({ id }) => id))
    expect(new Set(found.map(({ id }) => id)).size).toBe(everything.length + 5)
  })

  test('support sees no amounts', async () => {
    await fillTimeline()
    const seen = JSON.stringify(await page({}, support))
    expect(seen).not.toContain('$')
    expect(seen).toContain('Payment failed')
  })

  test('a made-up cursor is refused; an unknown member isn’t found; a member can’t look', async () => {
    for (const cursor of [
      'x',
      Buffer.from('["1",0,"x"]').toString('base64url'),
      Buffer.from('["1",99,"x"]').toString('base64url'),
    ]) {
      expect(await ask('admin-member-timeline', { userId: mia.id, cursor })).toMatchObject({ status: 400 })
    }
    expect(await ask('admin-member-timeline', { userId: crypto.randomUUID() })).toMatchObject({ status: 404 })
    expect(await ask('admin-member-timeline', { userId: mia.id }, mia)).toMatchObject({ status: 403 })
  })

  test('a page reads few rows, even among ten thousand sign-ins', async () => {
    await fillTimeline()
    await server.database.db.execute(sql`insert into auth.audit_log_entries (id, payload, created_at, ip_address)
      select gen_random_uuid(), jsonb_build_object('action', 'signed_in', 'user_id', ${mia.id}::text, 'email', 'x'),
        ${at(16).toISOString()}::timestamptz + n * interval '1 second', '' from generate_series(1, 10000) n`)
    await server.database.db.execute(sql`analyze auth.audit_log_entries`)
    expect(lines(await page({ kind: 'staff' }))).toHaveLength(2)
    expect(lines(await page({ kind: 'access' }))).toHaveLength(3)
    const first = await page({ limit: 40 })
    expect(first.items).toHaveLength(40)
    const plan = await server.database.db.execute(sql`explain select id from auth.audit_log_entries e
      where (e.payload ->> 'user_id') = ${mia.id} and e.payload ->> 'by' is not null
      order by e.created_at desc nulls last, e.id desc nulls last limit 41`)
    expect(JSON.stringify(plan)).toContain('audit_log_entries_staff_idx')
  })
})

test('the top says who it is, and counts locations without showing what’s in them', async () => {
  await server.database.db.insert(businessLocation).values({
    id: crypto.randomUUID(),
    userId: mia.id,
    name: 'Secret Street',
    values: {},
    shared: true,
    createdAt: at(1),
    updatedAt: at(1),
  })
  const reading = { userId: mia.id, kind: 'issue', itemId: 'till-counts', readAt: at(3) } as const
  await addItems(server, [{ kind: 'issue', id: reading.itemId }])
  await server.database.db.insert(readingState).values({ ...reading, positionAt: at(4) })
  await server.database.db.update(subscriptionState).set({ unpaidSince: at(5) })
  const { body } = await ask('admin-member', { userId: mia.id }, support)
  expect(body as Member).toMatchObject({
    name: 'Mia Roth',
    email: mia.email,
    answers: { focus_areas: ['Finance'] },
    locations: { total: 1, shared: 1 },
    plan: 'pro_monthly',
    access: expect.stringMatching(/^Pro Monthly/),
    team: null,
    memberOf: null,
    price: null,
    payingSince: null,
    unpaidSince: at(5).toISOString(),
    lastReadAt: at(4).toISOString(),
  })
  expect(JSON.stringify(body)).not.toContain('till-counts')
  expect(JSON.stringify(body)).not.toContain('Secret')
  expect(await ask('admin-member', { userId: crypto.randomUUID() })).toMatchObject({ status: 404 })
})

describe('sessions', () => {
  test('staff end one session or all, once, and the member sees it', async () => {
    const other = await openOtherSession(server, mia)
    const list = async () =>
      ((await ask('admin-member-sessions', { userId: mia.id }, support)).body as { sessions: { id: string }[] })
        .sessions
    expect(await list()).toHaveLength(2)
    const end = (sessionId: string | null, who = support) =>
      ask('admin-end-member-sessions', { userId: mia.id, sessionId }, who)
    expect((await end(other.sessionId)).body).toEqual({ ended: 1 })
    expect((await end(other.sessionId)).body).toEqual({ ended: 0 })
    expect((await ask('security-overview', {}, mia)).status).toBe(200)
    expect(JSON.stringify((await ask('security-overview', {}, mia)).body)).toContain('member_sessions_ended')
    expect((await end(null)).body).toEqual({ ended: 1 })
    expect(await ask('security-overview', {}, mia)).toMatchObject({ status: 401 })
    expect(await auditEntries(server, 'member_sessions_ended')).toHaveLength(2)
  })

  test('needs a recent confirmation, and support can’t sign out staff or use another account’s session', async () => {
    const end = (userId: string, sessionId: string | null) =>
      ask('admin-end-member-sessions', { userId, sessionId }, support)
    expect(await end(owner.id, null)).toMatchObject({ status: 403, body: { code: 'staff_account' } })
    expect((await end(mia.id, owner.sessionId)).body).toEqual({ ended: 0 })
    await ageAuthentication(server, support)
    expect(await end(mia.id, null)).toMatchObject({ status: 403, body: { code: 'step_up_required' } })
  })
})
