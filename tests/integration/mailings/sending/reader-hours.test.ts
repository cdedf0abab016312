import '#tests/support/property-seed.ts'
import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { deliveries, emailPreferences, publicationSettings, users } from '#server/db/schema/index.ts'
import { type ClaimPosition, firstPosition } from '#server/features/publishing/mailings/sending/claim-batch.ts'
import type { ClaimedDelivery } from '#server/features/publishing/mailings/sending/compose-delivery.ts'
import { findMailing } from '#server/features/publishing/mailings/sending/mailing-row.ts'
import {
  pauseMailing,
  resumeMailing,
  stopMailing,
} from '#server/features/publishing/mailings/sending/mailing-transitions.ts'
import { prepareMailing } from '#server/features/publishing/mailings/sending/prepare-mailing.ts'
import { resendToMember } from '#server/features/publishing/mailings/sending/resend.ts'
import {
  deregisterSender,
  expireStaleSenders,
  recordAndClaim,
  registerSender,
} from '#server/features/publishing/mailings/sending/senders.ts'
import { startSender } from '#server/features/publishing/mailings/sending/start-sender.ts'
import { readFigures } from '#server/monitoring/read-figures.ts'
import type { SendingSettings } from '#shared/contracts/publishing/sending-settings.ts'
import { dayMs, hourMs, minuteMs } from '#shared/domain/durations.ts'
import { caseCount } from '#tests/support/case-count.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/open-test-database.ts'
import { startSmtpServer } from '#tests/support/smtp-server.ts'
import {
  addIssue,
  addMailing,
  addMembers,
  mailerOver,
  queryRows,
  sendingDeps,
  smtpNewsletterMailer,
  statusOf,
  sums,
  until,
} from './support.ts'

/** 7 AM in New York. */
const published = new Date('2026-11-24T12:00:00Z')
const noLimits: SendingSettings['limits'] = { perSecond: null, perHour: null, perDomainHour: {}, warmUp: null }
let database: TestDatabase
let now: Date
beforeAll(async () => {
  database = await openTestDatabase()
})
beforeEach(startOver)
afterAll(() => database.close())

async function startOver() {
  await database.truncate()
  await addIssue(database)
  await saveSettings()
  now = published
}

async function saveSettings({ readerHours = true, limits = noLimits } = {}) {
  const value = { timeZone: 'America/New_York', limits, tracking: false, readerHours }
  await database.db
    .insert(publicationSettings)
    .values({ name: 'sending', value, updatedAt: new Date() })
    .onConflictDoUpdate({ target: publicationSettings.name, set: { value } })
}

const deps = () =>
  sendingDeps(database, mailerOver({ send: () => Promise.reject(new Error('not used')) } as never), () => now)

const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
type Preferences = Partial<typeof emailPreferences.$inferInsert>
const prefer = (n: number, given: Preferences) =>
  database.db
    .insert(emailPreferences)
    .values({ userId: idOf(n), updatedAt: now, timeZone: 'America/New_York', ...given })

async function addPrepared(given: Parameters<typeof addMailing>[1] = {}) {
  const mailing = await addMailing(database, { readerHours: true, scheduledAt: published, ...given })
  await prepareMailing(deps(), mailing)
  return mailing
}

type Node = { id: string; held: ClaimedDelivery[]; after: ClaimPosition }
async function addNode(): Promise<Node> {
  const id = randomUUID()
  await registerSender(database.db, id)
  return { id, held: [], after: firstPosition }
}

/** One transaction of a node: records what it sent and claims more. */
async function claim(mailing: string, node: Node, emails = 50) {
  const {
    deliveries: claimed,
    examined,
    last,
  } = await recordAndClaim(deps(), {
    mailingId: mailing,
    senderId: node.id,
    results: node.held.map(({ id, senderId }) => ({
      ...{ id, senderId, status: 'submitted', cause: null, response: null, untried: false, nextAttemptAt: null },
    })),
    emails,
    after: node.after,
    fullDomains: new Set(),
    checksPauseRules: false,
    stillHeld: null,
  })
  node.held = claimed
  node.after = examined === 0 ? firstPosition : last
  return claimed
}

/** Sends what is due, as one node does until nothing is left to claim. Returns the readers' numbers. */
async function sendDue(mailing: string): Promise<number[]> {
  const node = await addNode()
  const sent: number[] = []
  for (let idle = 0; idle < 2; ) {
    const claimed = await claim(mailing, node)
    sent.push(...claimed.map(({ userId }) => Number(userId.slice(-12))))
    idle = claimed.length === 0 ? idle + 1 : 0
  }
  return sent
}

const sendAt = async (n: number) =>
  (
    await database.db
      .select({ at: deliveries.sendAt })
      .from(deliveries)
      .where(eq(deliveries.userId, idOf(n)))
  )[0]?.at?.toISOString() ?? null
const later = (hours: number) => new Date(published.getTime() + hours * hourMs)

test('Each reader gets the drop at their own hour; without one, or without a known time zone, at the publication’s', async () => {
  await addMembers(database, 8)
  await prefer(1, { dropTime: '9' })
  await prefer(2, { dropTime: '7', timeZone: 'America/Los_Angeles' })
  await prefer(3, { dropTime: 'usual', usualHour: 6 })
  await prefer(4, { dropTime: 'usual', usualHour: null })
  await prefer(5, { dropTime: 'publication', usualHour: 20 })
  await prefer(6, { dropTime: '9', timeZone: 'Mars/Olympus' })
  await prefer(7, { dropTime: '9', timeZone: null })
  const mailing = await addPrepared()
  expect(await sendDue(mailing)).toEqual([4, 5, 6, 7, 8])
  now = new Date(later(2).getTime() - 1)
  expect(await sendDue(mailing)).toEqual([])
  now = later(2)
  expect(await sendDue(mailing)).toEqual([1])
  now = later(3)
  expect(await sendDue(mailing)).toEqual([2])
  expect(await statusOf(database, mailing)).toBe('sending')
  now = later(23)
  expect(await sendDue(mailing)).toEqual([3])
  expect(await statusOf(database, mailing)).toBe('sent')
  expect(await sums(database, mailing)).toEqual({ rows: { submitted: 8 }, counts: { submitted: 8 } })
})

test.for([
  ['the settings don’t allow it', false, true, null],
  ['the mailing doesn’t ask for it', true, false, null],
  ['its subject is tested', true, true, { otherSubjects: ['B'], share: 50, hours: 4 }],
] as const)('Everyone gets it at once if %s', async ([, allowed, wanted, subjectTest]) => {
  await saveSettings({ readerHours: allowed })
  await addMembers(database, 3)
  await prefer(1, { dropTime: '9' })
  const mailing = await addPrepared({ readerHours: wanted, subjectTest })
  expect(await sendDue(mailing)).toEqual([1, 2, 3])
  expect(await findMailing(database.db, mailing)).toMatchObject({ status: 'sent', readerHours: false })
})

test('The hours count from the scheduled time if sending starts late, and from its start after a day', async () => {
  await addMembers(database, 2)
  await prefer(1, { dropTime: '8' })
  await prefer(2, { dropTime: '10' })
  now = later(2)
  const late = await addPrepared()
  expect(await sendDue(late)).toEqual([1])
  expect(await sendAt(2)).toBe(later(3).toISOString())
  await database.db.delete(deliveries)
  now = later(50)
  await addPrepared({ issueId: await addIssue(database, 'issue-2') })
  expect(await sendAt(1)).toBe(later(73).toISOString())
})

test('A reader who unsubscribes, loses access or is deleted before their hour gets nothing', async () => {
  await addMembers(database, 4)
  for (const n of [1, 2, 3, 4]) await prefer(n, { dropTime: '9' })
  const mailing = await addPrepared()
  await database.db
    .update(emailPreferences)
    .set({ drops: 'off' })
    .where(eq(emailPreferences.userId, idOf(1)))
  await database.db.execute(sql`update subscription_state set status = 'canceled' where user_id = ${idOf(2)}::uuid`)
  await database.db.delete(users).where(eq(users.id, idOf(3)))
  now = later(2)
  expect(await sendDue(mailing)).toEqual([4])
  expect((await sums(database, mailing)).rows).toEqual({
    submitted: 1,
    'suppressed unsubscribed': 1,
    'suppressed not_entitled': 1,
    'suppressed account_gone': 1,
  })
})

test('A choice that changes after sending has started counts from the next drop on', async () => {
  await addMembers(database, 1)
  await prefer(1, { dropTime: '9' })
  const mailing = await addPrepared()
  await database.db.update(emailPreferences).set({ dropTime: '20' })
  now = later(2)
  expect(await sendDue(mailing)).toEqual([1])
})

test('Pausing holds those who wait, also past their hour, and stopping ends it for them', async () => {
  await addMembers(database, 3)
  await prefer(1, { dropTime: '9' })
  await prefer(2, { dropTime: '20' })
  const mailing = await addPrepared()
  expect(await sendDue(mailing)).toEqual([3])
  await pauseMailing(deps(), mailing)
  now = later(4)
  expect(await sendDue(mailing)).toEqual([])
  await resumeMailing(deps(), mailing)
  expect(await sendDue(mailing)).toEqual([1])
  await stopMailing(deps(), mailing)
  now = later(24)
  expect(await sendDue(mailing)).toEqual([])
  expect((await sums(database, mailing)).rows).toEqual({ submitted: 2, stopped: 1 })
})

test('A clock that is set back postpones the hours and repeats nothing', async () => {
  await addMembers(database, 2)
  await prefer(1, { dropTime: '9' })
  const mailing = await addPrepared()
  expect(await sendDue(mailing)).toEqual([2])
  now = later(-10)
  expect(await sendDue(mailing)).toEqual([])
  now = later(2)
  expect(await sendDue(mailing)).toEqual([1])
})

test('An email that is deferred at its hour is tried again later', async () => {
  await addMembers(database, 2)
  await prefer(1, { dropTime: '9' })
  const mailing = await addPrepared()
  await sendDue(mailing)
  now = later(2)
  await database.db
    .update(deliveries)
    .set({ attempts: 1, nextAttemptAt: later(3) })
    .where(eq(deliveries.userId, idOf(1)))
  expect(await sendDue(mailing)).toEqual([])
  now = later(3)
  expect(await sendDue(mailing)).toEqual([1])
})

test('A limit for a receiving domain holds for those whose hour has come', async () => {
  await saveSettings({ limits: { ...noLimits, perDomainHour: { 'd0.test': 1 } } })
  await addMembers(database, 6, { domains: 2 })
  for (const n of [1, 2, 3, 4]) await prefer(n, { dropTime: '9' })
  const mailing = await addPrepared()
  expect(await sendDue(mailing)).toEqual([5, 6])
  now = later(2)
  expect((await sendDue(mailing)).toSorted()).toEqual([1, 2, 3])
  now = later(3.5)
  expect(await sendDue(mailing)).toEqual([4])
})

test('Sent to one more member, it doesn’t wait for their hour', async () => {
  await addMembers(database, 1)
  const mailing = await addPrepared()
  await sendDue(mailing)
  await addMembers(database, 1, { first: 2 })
  await prefer(2, { dropTime: '20' })
  await resendToMember(deps(), { name: 'Ann', userId: null } as never, { mailingId: mailing, userId: idOf(2) })
  expect(await sendDue(mailing)).toEqual([2])
})

test('Monitoring counts those who wait for their hour only once it has come', async () => {
  await addMembers(database, 3)
  now = new Date()
  const local = Number(
    new Intl.DateTimeFormat('en-US', { hour: 'numeric', hourCycle: 'h23', timeZone: 'UTC' }).format(now),
  )
  await prefer(1, { dropTime: String((local + 5) % 24), timeZone: 'UTC' })
  const mailing = await addPrepared({ scheduledAt: null })
  expect((await readFigures(database)).deliveriesWaiting).toBe(2)
  await sendDue(mailing)
  expect((await readFigures(database)).deliveriesWaiting).toBe(0)
  await database.db.update(deliveries).set({ sendAt: now })
  expect((await readFigures(database)).deliveriesWaiting).toBe(1)
})

test('Nodes send it at the hours by themselves', async () => {
  await addMembers(database, 60)
  for (let n = 1; n <= 40; n += 1) await prefer(n, { dropTime: String(n % 24) })
  const mailing = await addMailing(database, { readerHours: true, scheduledAt: published })
  const server = await startSmtpServer()
  // PGlite allows one process at a time.
  const nodes = database.kind === 'pglite' ? 1 : 2
  const mailers = Array.from({ length: nodes }, () => smtpNewsletterMailer(server.url))
  const senders = await Promise.all(
    mailers.map((mailer) =>
      startSender(
        sendingDeps(database, mailer, () => now),
        { idleMs: 10 },
      ),
    ),
  )
  const dueUntil = (hours: number) =>
    queryRows<{ n: number }>(
      database,
      sql`select count(*)::int as n from deliveries where send_at <= ${later(hours).toISOString()}::timestamptz`,
    ).then(([row]) => row?.n)
  await until(async () => (await statusOf(database, mailing)) === 'sending')
  for (const hour of [0, 1, 5, 12, 23, 24]) {
    now = later(hour)
    const due = await dueUntil(hour)
    await until(() => server.received.length >= (due ?? 0))
    expect(server.received).toHaveLength(due ?? 0)
  }
  await until(async () => (await statusOf(database, mailing)) === 'sent')
  for (const sender of senders) await sender.stop(5_000)
  for (const mailer of mailers) await mailer.close()
  await server.close()
  expect(new Set(server.heard.map(({ to }) => to)).size).toBe(60)
  expect(server.heard).toHaveLength(60)
})

const zones = ['America/New_York', 'Asia/Kolkata', 'Pacific/Auckland', 'Australia/Lord_Howe', 'Mars/Olympus', null]
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('send'), node: fc.nat(1), emails: fc.integer({ min: 1, max: 20 }) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait'), minutes: fc.integer({ min: -180, max: 400 }) }) },
  fc.record({ do: fc.constant('kill'), node: fc.nat(1) }),
  fc.record({ do: fc.constant('pause') }),
  fc.record({ do: fc.constant('resume') }),
) as fc.Arbitrary<{ do: string; node?: number; emails?: number; minutes?: number }>

test('Whatever two nodes do, and wherever they are killed, each reader is sent to once, at their hour and within 24', async () => {
  await fc.assert(
    fc.asyncProperty(
      // Around both changes of the clocks in New York.
      fc.constantFrom('2026-03-07T12:00:00Z', '2026-10-31T11:00:00Z', '2026-11-24T12:34:56Z'),
      fc.array(fc.tuple(fc.constantFrom(...zones), fc.constantFrom('publication', 'usual', '0', '2', '7', '23')), {
        minLength: 1,
        maxLength: 40,
      }),
      fc.array(step, { maxLength: 30 }),
      async (at, readers, steps) => {
        await startOver()
        now = new Date(at)
        const publishedAt = now
        await addMembers(database, readers.length)
        for (const [index, [timeZone, dropTime]] of readers.entries()) {
          await prefer(index + 1, { timeZone, dropTime, usualHour: index % 3 === 0 ? null : index % 24 })
        }
        const mailing = await addPrepared({ scheduledAt: publishedAt })
        const hours = new Map(
          (await database.db.select().from(deliveries)).map((row) => [String(row.id), row.sendAt ?? new Date(0)]),
        )
        for (const sendsAt of hours.values()) {
          expect(sendsAt.getTime() - publishedAt.getTime()).toBeGreaterThanOrEqual(0)
          expect(sendsAt.getTime() - publishedAt.getTime()).toBeLessThanOrEqual(dayMs)
        }
        const nodes = [await addNode(), await addNode()]
        const sent: string[] = []
        async function send(node: Node, emails: number) {
          const wasPaused = (await statusOf(database, mailing)) === 'paused'
          const claimed = await claim(mailing, node, emails)
          if (wasPaused) expect(claimed).toEqual([])
          for (const { id } of claimed) expect((hours.get(id) ?? now) <= now).toBe(true)
          sent.push(...claimed.map(({ id }) => id))
          return claimed.length
        }
        for (const { do: act, node: index = 0, emails = 1, minutes = 0 } of steps) {
          const node = nodes[index]
          if (act === 'send' && node) await send(node, emails)
          else if (act === 'wait') now = new Date(now.getTime() + minutes * minuteMs)
          else if (act === 'kill' && node) {
            // What it held may have been sent, so nobody sends it again.
            await deregisterSender(database.db, node.id)
            const own = nodes[1 - index]?.id ?? ''
            await expireStaleSenders(deps(), { own, staleAfterMs: hourMs, alone: false })
            nodes[index] = await addNode()
          } else if (act === 'pause') await pauseMailing(deps(), mailing).catch(() => {})
          else if (act === 'resume') await resumeMailing(deps(), mailing).catch(() => {})
        }
        await resumeMailing(deps(), mailing).catch(() => {})
        now = new Date(publishedAt.getTime() + dayMs)
        for (let idle = 0; idle < 2; ) {
          const counts: number[] = []
          for (const node of nodes) counts.push(await send(node, 20))
          idle = counts.every((count) => count === 0) ? idle + 1 : 0
        }
        expect(new Set(sent).size).toBe(sent.length)
        expect(sent).toHaveLength(readers.length)
        expect(await statusOf(database, mailing)).toBe('sent')
      },
    ),
    { numRuns: caseCount(10, 200) },
  )
}, 240_000)
