import { and, eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { deleteAccountRows } from '#server/db/account-rows.ts'
import {
  accountEmails,
  assignmentNotice,
  assignmentReminder,
  assignmentSummary,
  contentItems,
  emailPreferences,
  subscriptionState,
  suppressions,
  teamAssignment,
} from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { sendAssigned, sendWaiting } from '#server/features/publishing/assignment-emails/send-assigned.ts'
import { sendReminders, sendSummaries } from '#server/features/publishing/assignment-emails/send-scheduled.ts'
import { assignedEmailJob } from '#server/features/reader/assignments/notify-assignees.ts'
import { as, buildOwner, createTeamApp, seat } from '#tests/integration/teams/support.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { dyingAfter, Killed } from '#tests/support/dying-database.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const server = openForTests(() => createTeamApp())
const prompt = { kind: 'prompt', id: 'closing-note' } as const
const other = { kind: 'prompt', id: 'hiring-ad' } as const
let owner: TestUser
let mia: TestUser
let zoe: TestUser
/** A Sunday, 11 AM in New York. */
const start = new Date('2026-11-22T16:00:00Z')

beforeEach(async () => {
  await server.database.truncate()
  server.clock.now = start
  server.jobs.length = 0
  await server.database.db.insert(contentItems).values(
    [
      { ...prompt, title: 'Closing handover note' },
      { ...other, title: 'Job ad for a shift lead' },
    ].map((item) => ({
      ...item,
      path: `/portal/prompt-packs#${item.id}`,
      publishedAt: start,
      changedAt: start,
    })),
  )
  const plan = { subscriptionFacts: { currentPeriodEnd: new Date('2027-11-22T00:00:00Z') } }
  owner = await buildOwner(server, plan)
  mia = await buildUser(server, {})
  zoe = await buildUser(server, {})
  await seat(server, owner, mia)
  await seat(server, owner, zoe)
})

const assign = async (who: TestUser, to: TestUser | { locationId: string }, rest: object = {}) => {
  const assignmentId = crypto.randomUUID()
  const target = 'locationId' in to ? to : { userId: to.id }
  const input = { assignmentId, item: prompt, to: target, dueOn: '2026-11-27', note: '', ...rest }
  const { status } = await as(server, who)('assign', input)
  expect(status).toBe(200)
  return input
}

/** Runs the jobs that were enqueued. */
async function work(deps: Deps = server.deps) {
  const queued = server.jobs.splice(0).filter(({ name }) => name === assignedEmailJob.name)
  for (const { payload } of queued) await sendAssigned(deps, assignedEmailJob.payload.parse(payload).userId)
  return queued.length
}

const at = (iso: string) => {
  server.clock.now = new Date(iso)
}
const remindAt = async (iso: string) => {
  at(iso)
  await sendReminders(server.deps)
}
const aboutAssignments = /^(Assigned to you|Reminder|What you assigned)/
const received = (who: TestUser) =>
  server.outbox.list(who.email).filter(({ subject }) => aboutAssignments.test(subject))
const subjects = (who: TestUser) =>
  received(who)
    .map(({ subject }) => subject)
    .toReversed()
const newest = (who: TestUser) => received(who)[0]
/** Emails whose transaction was committed; those of a crashed one are still in the outbox. */
const committed = async (who: TestUser) =>
  (await server.database.db.select().from(accountEmails).where(eq(accountEmails.email, who.email))).filter(
    ({ subject }) => aboutAssignments.test(subject),
  ).length

describe('what was assigned', () => {
  test('is emailed once to the assignee, however often request and job run', async () => {
    const input = await assign(owner, mia, { note: 'Before Friday' })
    expect((await as(server, owner)('assign', input)).status).toBe(200)
    expect(await work()).toBe(1)
    await sendAssigned(server.deps, mia.id)
    await sendWaiting(server.deps)
    expect(subjects(mia)).toEqual(['Assigned to you: Closing handover note'])
    expect(subjects(zoe)).toEqual([])
    const { text, html, headers } = newest(mia) ?? {}
    expect(text).toContain('Due Friday, Nov 27')
    expect(text).toContain('Note: Before Friday')
    expect(text).toContain(`${owner.email} assigned one thing to you.`)
    expect(html).toContain('/portal/prompt-packs#closing-note')
    expect(headers?.['List-Unsubscribe']).toMatch(/^<http.*\/unsubscribe\/one-click\/[\w.-]+>$/)
  })

  test('to several people in one request, and one after another, is one email to each', async () => {
    const to = [mia, zoe].map(({ id }) => ({ assignmentId: crypto.randomUUID(), to: { userId: id } }))
    const more = to.map(({ to: target }) => ({ assignmentId: crypto.randomUUID(), to: target }))
    const input = { item: prompt, to: [...to, ...more], dueOn: null, note: '' }
    expect((await as(server, owner)('assign-to-several', input)).status).toBe(200)
    expect(await work()).toBe(2)
    expect(subjects(mia)).toEqual(['Assigned to you: 2 things'])
    expect(subjects(zoe)).toEqual(['Assigned to you: 2 things'])
    for (let n = 0; n < 3; n += 1) {
      server.clock.advance(60_000)
      await assign(owner, mia, { item: other })
      await work()
    }
    expect(subjects(mia)).toHaveLength(1)
    server.clock.advance(10 * 60_000)
    await sendWaiting(server.deps)
    await sendWaiting(server.deps)
    expect(subjects(mia)).toEqual(['Assigned to you: 2 things', 'Assigned to you: 3 things'])
  })

  test('to several is all or nothing', async () => {
    const stranger = await buildUser(server, { subscription: 'active' })
    const to = [mia, stranger].map(({ id }) => ({ assignmentId: crypto.randomUUID(), to: { userId: id } }))
    const { status } = await as(server, owner)('assign-to-several', { item: prompt, to, dueOn: null, note: '' })
    expect(status).toBe(404)
    expect(await server.database.db.$count(teamAssignment)).toBe(0)
    expect(await work()).toBe(0)
  })

  test('to a location reaches the people who work there', async () => {
    const locationId = crypto.randomUUID()
    await as(server, owner)('save-location', { id: locationId, name: { from: '', to: 'Oak Avenue' } })
    await as(server, owner)('tie-seat', { userId: zoe.id, locationIds: [locationId] })
    await assign(owner, { locationId })
    await work()
    expect(subjects(mia)).toEqual([])
    expect(newest(zoe)?.text).toContain('For Oak Avenue')
  })

  test('to oneself isn’t emailed, and a reassigned one goes to the new person', async () => {
    await assign(owner, owner)
    const { assignmentId, dueOn, note } = await assign(owner, mia)
    await as(server, owner)('edit-assignment', {
      assignmentId,
      to: { userId: zoe.id },
      dueOn,
      note,
      at: new Date(start.getTime() + 1000).toISOString(),
    })
    await work()
    expect([owner, mia, zoe].map((who) => subjects(who).length)).toEqual([0, 0, 1])
  })

  test('shows a note with HTML as text', async () => {
    await assign(owner, mia, { note: '<img src=x onerror=alert(1)> & "more"' })
    await work()
    expect(newest(mia)?.html).not.toContain('<img src=x')
    expect(newest(mia)?.html).toContain('&#60;img src=x')
    expect(newest(mia)?.text).toContain('<img src=x onerror=alert(1)>')
  })

  test('isn’t emailed after it was done or removed, or once the seat or the plan ended', async () => {
    const { db } = server.database
    const done = await assign(owner, mia)
    await as(server, mia)('check-off', { assignmentId: done.assignmentId, done: true, at: start.toISOString() })
    const removed = await assign(owner, mia)
    await as(server, owner)('remove-assignment', {
      assignmentId: removed.assignmentId,
      removed: true,
      at: start.toISOString(),
    })
    await work()
    await assign(owner, zoe)
    await as(server, owner)('remove-member', { userId: zoe.id })
    await work()
    server.clock.advance(60_000)
    await assign(owner, mia)
    await db.update(subscriptionState).set({ status: 'canceled' }).where(eq(subscriptionState.userId, owner.id))
    await work()
    expect(subjects(mia)).toEqual([])
    expect(subjects(zoe)).not.toContainEqual(expect.stringContaining('Assigned'))
  })

  test('isn’t emailed to suppressed addresses, or to people who turned it off by the link', async () => {
    const { db } = server.database
    await db.insert(suppressions).values({ email: zoe.email, stream: 'all', reason: 'hard_bounce', createdAt: start })
    await assign(owner, zoe)
    await assign(owner, mia)
    await work()
    expect(subjects(zoe)).toEqual([])
    const link = newest(mia)?.headers?.['List-Unsubscribe']?.slice(1, -1) ?? ''
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
    const answer = await server.request(new URL(link).pathname, { method: 'POST', body })
    expect(answer.status).toBe(200)
    server.clock.advance(60 * 60_000)
    await assign(owner, mia)
    await work()
    expect(subjects(mia)).toHaveLength(1)
    const { body: preferences } = await as(server, mia)('email-preferences')
    expect(preferences).toMatchObject({
      drops: 'weekly',
      news: true,
      followUps: true,
      assignments: false,
      isOnTeam: true,
    })
  })

  test('disappears with a deleted account', async () => {
    await assign(owner, mia)
    await server.deps.database.db.transaction((tx) => deleteAccountRows(tx, mia.id))
    await work()
    expect(subjects(mia)).toEqual([])
  })

  test('is emailed once when two workers race, and by the next one after a crash at any moment', async () => {
    await assign(owner, mia)
    const [job] = server.jobs
    for (let moments = 0; ; moments += 1) {
      const { db, used } = dyingAfter(server.database.db, moments)
      const deps = { ...server.deps, database: { ...server.database, db } }
      const failed = await sendAssigned(deps, mia.id).catch((error: unknown) => error)
      const rows = await server.database.db.select().from(assignmentNotice)
      if (rows[0]?.handledAt) break
      expect(failed).toBeInstanceOf(Killed)
      expect(used()).toBeGreaterThan(moments)
      expect(await committed(mia)).toBe(0)
    }
    await Promise.all([1, 2, 3].map(() => sendAssigned(server.deps, mia.id)))
    expect(await committed(mia)).toBe(1)
    await assign(owner, zoe)
    expect(job?.name).toBe(assignedEmailJob.name)
    await Promise.all([1, 2, 3].map(() => sendAssigned(server.deps, zoe.id)))
    expect(subjects(zoe)).toHaveLength(1)
  })
})

describe('reminders', () => {
  const morningsInNewYork = ['2026-11-25T13:00:00Z', '2026-11-27T13:00:00Z'] as const

  test('come two days before and on the day, at eight, each once', async () => {
    await assign(owner, mia)
    await remindAt('2026-11-25T12:59:00Z')
    expect(subjects(mia)).toEqual([])
    for (const morning of morningsInNewYork) {
      await remindAt(morning)
      await remindAt(morning)
    }
    expect(subjects(mia)).toEqual(Array(2).fill('Reminder: Closing handover note'))
    expect(newest(mia)?.text).toContain('Due today, Friday, Nov 27')
    // The clock is set back, and the day passes.
    await remindAt(morningsInNewYork[0])
    await remindAt('2026-11-28T13:00:00Z')
    expect(subjects(mia)).toHaveLength(2)
    expect(await server.database.db.select({ kind: assignmentReminder.kind }).from(assignmentReminder)).toEqual(
      expect.arrayContaining([{ kind: 'soon' }, { kind: 'due' }]),
    )
  })

  test('are one email for all that is due, also to people who assigned it to themselves', async () => {
    await assign(owner, owner)
    await assign(owner, owner, { item: other })
    await remindAt(morningsInNewYork[0])
    expect(subjects(owner)).toEqual(['Reminder: 2 things'])
  })

  test('follow the reader’s time zone, and a change of it repeats nothing', async () => {
    await assign(owner, mia)
    expect((await as(server, mia)('save-time-zone', { timeZone: 'Pacific/Honolulu' })).status).toBe(200)
    expect((await as(server, mia)('save-time-zone', { timeZone: 'Mars/Olympus' })).status).toBe(400)
    await remindAt('2026-11-25T17:59:00Z')
    expect(subjects(mia)).toEqual([])
    await remindAt('2026-11-25T18:00:00Z')
    expect(subjects(mia)).toHaveLength(1)
    await as(server, mia)('save-time-zone', { timeZone: 'Asia/Tokyo' })
    await remindAt('2026-11-25T22:30:00Z')
    expect(subjects(mia)).toHaveLength(1)
    await remindAt('2026-11-26T23:00:00Z')
    expect(subjects(mia)).toHaveLength(2)
  })

  test('of a date that passed already, or that is too near, don’t come', async () => {
    await assign(owner, mia, { dueOn: '2026-11-01' })
    await assign(owner, mia, { dueOn: '2026-11-22' })
    await remindAt('2026-11-22T16:05:00Z')
    await assign(owner, zoe, { dueOn: '2026-11-23' })
    await remindAt('2026-11-22T18:00:00Z')
    expect([mia, zoe].flatMap(subjects)).toEqual([])
    await remindAt('2026-11-23T13:00:00Z')
    expect(subjects(zoe)).toHaveLength(1)
  })

  test('follow a moved date', async () => {
    const { assignmentId } = await assign(owner, mia)
    await remindAt(morningsInNewYork[0])
    const moved = {
      assignmentId,
      to: { userId: mia.id },
      dueOn: '2026-12-04',
      note: '',
      at: server.clock.now.toISOString(),
    }
    await as(server, owner)('edit-assignment', moved)
    await remindAt(morningsInNewYork[1])
    expect(subjects(mia)).toHaveLength(1)
    await remindAt('2026-12-02T13:00:00Z')
    expect(subjects(mia)).toHaveLength(2)
  })

  test('stop once it is done or removed, the seat ended, or the person turned them off', async () => {
    const { db } = server.database
    const done = await assign(owner, mia)
    await assign(owner, zoe)
    await assign(zoe, owner)
    await as(server, mia)('check-off', { assignmentId: done.assignmentId, done: true, at: start.toISOString() })
    await db.insert(emailPreferences).values({ userId: owner.id, assignments: false, updatedAt: start })
    await as(server, owner)('remove-member', { userId: zoe.id })
    for (const morning of morningsInNewYork) await remindAt(morning)
    expect([owner, mia, zoe].flatMap(subjects)).toEqual([])
  })

  test('are sent once by two workers, and after a crash at any moment', async () => {
    await assign(owner, mia)
    at(morningsInNewYork[0])
    for (let moments = 0; ; moments += 1) {
      const { db } = dyingAfter(server.database.db, moments)
      const deps = { ...server.deps, database: { ...server.database, db } }
      await sendReminders(deps).catch((error: unknown) => expect(error).toBeInstanceOf(Killed))
      if ((await server.database.db.$count(assignmentReminder)) > 0) break
      expect(await committed(mia)).toBe(0)
    }
    await sendReminders(server.deps)
    expect(await committed(mia)).toBe(1)
    at(morningsInNewYork[1])
    await Promise.all([1, 2, 3].map(() => sendReminders(server.deps)))
    expect(await committed(mia)).toBe(2)
  })
})

describe('the weekly summary', () => {
  const mondays = ['2026-11-23T13:00:00Z', '2026-11-30T13:00:00Z', '2026-12-07T13:00:00Z'] as const
  const summarize = async (iso: string) => {
    at(iso)
    await sendSummaries(server.deps)
  }

  test('comes on Monday at eight, once, to who assigned something', async () => {
    const { assignmentId } = await assign(owner, mia, { dueOn: '2026-11-22' })
    await assign(owner, zoe, { item: other })
    await assign(owner, owner)
    await summarize('2026-11-23T12:59:00Z')
    expect(subjects(owner)).toEqual([])
    await Promise.all([1, 2, 3].map(() => summarize(mondays[0])))
    expect(subjects(owner)).toEqual(['What you assigned: 2 open, 1 late, 0 done'])
    expect(newest(owner)?.text).toContain(`For ${mia.email}`)
    expect([mia, zoe].flatMap(subjects)).toEqual([])
    at('2026-11-26T16:00:00Z')
    const change = { assignmentId, done: true, at: server.clock.now.toISOString() }
    await as(server, mia)('check-off', change)
    await summarize(mondays[1])
    expect(subjects(owner)[1]).toBe('What you assigned: 1 open, 1 late, 1 done')
    // An earlier week isn't sent again when the clock is set back.
    await summarize(mondays[0])
    expect(subjects(owner)).toHaveLength(2)
  })

  test('doesn’t come while nothing is open and nothing changed, or for something assigned that morning', async () => {
    const { assignmentId } = await assign(owner, mia)
    await as(server, mia)('check-off', { assignmentId, done: true, at: start.toISOString() })
    await summarize(mondays[0])
    expect(subjects(owner)).toHaveLength(1)
    await summarize(mondays[1])
    expect(subjects(owner)).toHaveLength(1)
    at('2026-12-07T13:30:00Z')
    await assign(owner, mia)
    await sendSummaries(server.deps)
    expect(subjects(owner)).toHaveLength(1)
  })

  test('doesn’t come to people who turned it off or left the team', async () => {
    await assign(mia, zoe)
    await assign(owner, zoe)
    await as(server, owner)('save-email-preferences', {
      drops: 'weekly',
      news: true,
      assignments: false,
      allowsTracking: false,
    })
    await as(server, mia)('leave-team', {})
    await summarize(mondays[0])
    expect([owner, mia].flatMap(subjects)).toEqual([])
    const sent = await server.database.db
      .select()
      .from(assignmentSummary)
      .where(and(eq(assignmentSummary.userId, owner.id)))
    expect(sent).toEqual([])
  })
})

test('the portal learns what is open, and who has no team learns nothing', async () => {
  await assign(owner, mia)
  await assign(owner, mia, { item: other, dueOn: '2026-11-24' })
  const marks = async (who: TestUser) =>
    ((await as(server, who)('item-marks', { scope: { kind: 'issues' } })).body as { openAssignments: unknown })
      .openAssignments
  expect(await marks(mia)).toEqual({
    count: 2,
    next: { title: 'Job ad for a shift lead', dueOn: '2026-11-24', assignedAt: start.toISOString() },
  })
  expect(await marks(zoe)).toBeNull()
  const alone = await buildUser(server, { subscription: 'active' })
  expect(await marks(alone)).toBeNull()
})
