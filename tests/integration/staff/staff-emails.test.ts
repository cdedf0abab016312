import { eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { restoreHold } from '#server/db/restore-hold.ts'
import {
  accountEmails,
  contentItems,
  publicationSettings,
  staffEmailSent,
  staffEvent,
  subscriptionState,
  userRoles,
  users,
} from '#server/db/schema/index.ts'
import { enqueueNotices } from '#server/features/billing/subscriptions/notices/enqueue-notices.ts'
import { sendStaffEvents, sendStaffSummary } from '#server/features/operations/staff-emails/send-staff-emails.ts'
import { type StaffEmailKind, staffEmailKinds } from '#shared/domain/staff-emails.ts'
import { type StaffRole, staffRoles } from '#shared/domain/staff-roles.ts'
import { patientAuth } from '#tests/integration/teams/support.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { dyingAfter, Killed } from '#tests/support/dying-database.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const server = openForTests(() => createTestApp({ config: { auth: patientAuth } }))
/** A Wednesday. */
const start = new Date('2026-11-18T15:00:00Z')
let staff = {} as Record<StaffRole, TestUser>

beforeEach(async () => {
  await server.database.truncate()
  server.clock.now = start
  staff = {} as Record<StaffRole, TestUser>
  for (const role of staffRoles)
    staff[role] = await buildUser(server, { role, createdAt: new Date('2026-01-05T00:00:00Z') })
})

const choose = async (role: StaffRole, kind: StaffEmailKind, on = true) =>
  (await call(server, 'admin-staff-emails', { save: { kind, on } }, staff[role].token)).status
const chosen = async (role: StaffRole) =>
  (await call(server, 'admin-staff-emails', {}, staff[role].token)).body.items as {
    kind: StaffEmailKind
    on: boolean
  }[]
const subjects = async (role: StaffRole) =>
  (
    await server.database.db
      .select({ subject: accountEmails.subject })
      .from(accountEmails)
      .where(eq(accountEmails.email, staff[role].email))
      .orderBy(accountEmails.requestedAt)
  ).map(({ subject }) => subject)
const send = () => sendStaffEvents(server.deps)

/** Members in one statement, as an import writes them. */
const importMembers = (count: number, offset = 0) =>
  server.database.db.insert(users).values(
    Array.from({ length: count }, (_, n) => ({
      id: crypto.randomUUID(),
      email: `imported-${offset + n}@example.test`,
      createdAt: server.clock.now,
      updatedAt: server.clock.now,
    })),
  )

describe('choosing', () => {
  test('is off at first, one’s own, and only of what the role may see', async () => {
    expect(await chosen('owner')).toEqual(staffEmailKinds.map((kind) => ({ kind, on: false })))
    expect((await chosen('editor')).map(({ kind }) => kind)).toEqual(['answer', 'weekly'])
    expect((await chosen('viewer')).map(({ kind }) => kind)).toEqual(['member', 'canceled', 'gift', 'weekly'])
    expect(await choose('editor', 'member')).toBe(403)
    expect(await choose('support', 'payment-failed')).toBe(200)
    expect(await choose('support', 'payment-failed')).toBe(200)
    expect((await chosen('support')).filter(({ on }) => on)).toEqual([{ kind: 'payment-failed', on: true }])
    expect((await chosen('owner')).some(({ on }) => on)).toBe(false)
    expect(await choose('support', 'payment-failed', false)).toBe(200)
    expect((await chosen('support')).some(({ on }) => on)).toBe(false)
  })

  test('is for staff', async () => {
    const member = await buildUser(server, { subscription: 'active' })
    expect((await call(server, 'admin-staff-emails', {}, member.token)).status).toBe(403)
  })
})

describe('new members', () => {
  test('of an import are one email with their number', async () => {
    await choose('owner', 'member')
    await choose('support', 'member')
    for (let offset = 0; offset < 2_000; offset += 500) await importMembers(500, offset)
    await send()
    await send()
    expect(await subjects('owner')).toEqual(['2,000 new members'])
    expect(await subjects('support')).toEqual(['2,000 new members'])
    expect(await subjects('viewer')).toEqual([])
  })

  test('are at most one email an hour, also when the clock was set back', async () => {
    await choose('owner', 'member')
    await importMembers(1)
    await send()
    server.clock.advance(59 * 60_000)
    await importMembers(2, 10)
    await send()
    expect(await subjects('owner')).toEqual(['A new member'])
    server.clock.advance(60_000)
    await send()
    expect(await subjects('owner')).toEqual(['A new member', '2 new members'])
    server.clock.now = new Date(start.getTime() - 24 * 60 * 60_000)
    await importMembers(3, 20)
    await send()
    await importMembers(3, 30)
    await send()
    expect(await server.database.db.$count(accountEmails)).toBe(3)
  })

  test('that joined before anyone wanted to know aren’t counted', async () => {
    await importMembers(5)
    expect(await server.database.db.$count(staffEvent)).toBe(0)
    await choose('owner', 'member')
    await importMembers(1, 10)
    await send()
    expect(await subjects('owner')).toEqual(['A new member'])
  })

  test('of a transaction that is rolled back are never told', async () => {
    await choose('owner', 'member')
    const failed = server.database.db.transaction(async (tx) => {
      await tx
        .insert(users)
        .values({ id: crypto.randomUUID(), email: 'x@example.test', createdAt: start, updatedAt: start })
      throw new Error('rolled back')
    })
    await expect(failed).rejects.toThrow('rolled back')
    await send()
    expect(await subjects('owner')).toEqual([])
  })

  test('aren’t told to people who lost their role or turned it off, nor while email is on hold', async () => {
    const { db } = server.database
    await choose('owner', 'member')
    await choose('support', 'member')
    await choose('viewer', 'member')
    await choose('viewer', 'member', false)
    await db.delete(userRoles).where(eq(userRoles.userId, staff.support.id))
    await importMembers(1)
    await db.insert(publicationSettings).values({ name: restoreHold, value: {}, updatedAt: start })
    await send()
    expect(await db.$count(accountEmails)).toBe(0)
    await db.delete(publicationSettings).where(eq(publicationSettings.name, restoreHold))
    await send()
    expect(await db.select({ email: accountEmails.email }).from(accountEmails)).toEqual([{ email: staff.owner.email }])
  })

  test('are told once by workers that race, and after a crash at any moment', async () => {
    const { db } = server.database
    await choose('owner', 'member')
    await importMembers(3)
    for (let moments = 0; ; moments += 1) {
      const deps = { ...server.deps, database: { ...server.database, db: dyingAfter(db, moments).db } }
      await sendStaffEvents(deps).catch((error: unknown) => expect(error).toBeInstanceOf(Killed))
      if ((await db.$count(staffEvent)) === 0) break
      expect(await subjects('owner')).toEqual([])
    }
    server.clock.advance(2 * 60 * 60_000)
    await importMembers(2, 10)
    await Promise.all([send(), send(), send()])
    expect(await subjects('owner')).toEqual(['3 new members', '2 new members'])
  })
})

test('a cancellation and a failed payment are told once each, by the transaction that stores them', async () => {
  const { db } = server.database
  await choose('owner', 'canceled')
  await choose('owner', 'payment-failed')
  const member = await buildUser(server, { subscription: 'active' })
  const [before] = await db.select().from(subscriptionState).where(eq(subscriptionState.userId, member.id))
  if (!before) throw new Error('no subscription')
  const canceled = { ...before, cancelAt: before.currentPeriodEnd }
  const unpaid = { ...before, status: 'past_due' as const, unpaidSince: start }
  for (let times = 0; times < 2; times += 1) {
    await db.transaction((tx) => enqueueNotices(tx, server.deps, before, canceled))
    await db.transaction((tx) => enqueueNotices(tx, server.deps, before, unpaid))
  }
  await send()
  expect((await subjects('owner')).toSorted()).toEqual(['A payment failed', 'A plan was canceled'])
})

test('an answer with a note is told, a repeat and an answer without one aren’t', async () => {
  const { db } = server.database
  const item = { kind: 'prompt', id: 'closing-note' } as const
  const dates = { publishedAt: new Date('2026-11-01T00:00:00Z'), changedAt: start }
  await db.insert(contentItems).values({ ...item, title: 'Closing note', path: '/portal/prompt-packs#a', ...dates })
  await choose('editor', 'answer')
  const period = { subscriptionFacts: { currentPeriodEnd: new Date('2027-11-18T00:00:00Z') } }
  const reader = await buildUser(server, {
    subscription: 'active',
    createdAt: new Date('2026-11-02T00:00:00Z'),
    ...period,
  })
  const answer = async (note: string) => {
    server.clock.advance(1000)
    const input = {
      ...item,
      outcome: 'worked',
      minutesPerWeek: 5,
      note,
      shared: false,
      at: server.clock.now.toISOString(),
    }
    expect((await call(server, 'record-try', input, reader.token)).status).toBe(200)
  }
  await answer('')
  expect(await db.$count(staffEvent)).toBe(0)
  await answer('It worked at two stores.')
  await answer('It worked at two stores.')
  await send()
  expect(await subjects('editor')).toEqual(['A reader answered you'])
})

describe('the weekly summary', () => {
  const monday = new Date('2026-11-23T13:00:00Z')

  test('comes once on Monday at eight in the publication’s time zone, with what the role may see', async () => {
    await choose('owner', 'weekly')
    await choose('editor', 'weekly')
    await importMembers(4)
    server.clock.now = new Date(monday.getTime() - 60_000)
    await sendStaffSummary(server.deps)
    expect(await subjects('owner')).toEqual([])
    server.clock.now = monday
    await Promise.all([1, 2, 3].map(() => sendStaffSummary(server.deps)))
    expect(await subjects('owner')).toEqual(['Your week in numbers'])
    expect(await subjects('editor')).toEqual(['Your week in numbers'])
    const [owner, editor] = (['owner', 'editor'] as const).map((role) => server.outbox.list(staff[role].email)[0]?.text)
    expect(owner).toMatch(/New members: +4/)
    expect(editor).not.toContain('New members')
    expect(editor).toMatch(/Answers and notes: +0/)
    // The clock is set back by a week.
    server.clock.now = new Date(monday.getTime() - 7 * 24 * 60 * 60_000)
    await sendStaffSummary(server.deps)
    expect(await subjects('owner')).toHaveLength(1)
    server.clock.now = new Date(monday.getTime() + 7 * 24 * 60 * 60_000)
    await sendStaffSummary(server.deps)
    expect(await subjects('owner')).toHaveLength(2)
  })

  test('isn’t marked as sent while no one wants it', async () => {
    server.clock.now = monday
    await sendStaffSummary(server.deps)
    const sent = await server.database.db
      .select()
      .from(staffEmailSent)
      .where(sql`${staffEmailSent.sentAt} > ${start.toISOString()}::timestamptz`)
    expect(sent).toEqual([])
    await choose('owner', 'weekly')
    await sendStaffSummary(server.deps)
    expect(await subjects('owner')).toHaveLength(1)
  })
})
