import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { simpleParser } from 'mailparser'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { deliveries, publicationSettings } from '#server/db/schema/index.ts'
import type { ClaimedDelivery } from '#server/features/publishing/mailings/sending/compose-delivery.ts'
import { findMailing } from '#server/features/publishing/mailings/sending/mailing-row.ts'
import {
  pauseMailing,
  resumeMailing,
  stopMailing,
} from '#server/features/publishing/mailings/sending/mailing-transitions.ts'
import { prepareMailing } from '#server/features/publishing/mailings/sending/prepare-mailing.ts'
import { startSender } from '#server/features/publishing/mailings/sending/start-sender.ts'
import { createOutbox } from '#server/mail/outbox.ts'
import { createOutboxTransport } from '#server/mail/outbox-transport.ts'
import type { SubjectTest } from '#shared/domain/subject-test.ts'
import { caseCount } from '#tests/support/case-count.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/open-test-database.ts'
import { startSmtpServer } from '#tests/support/smtp-server.ts'
import { addNode, claim, sendDue } from './nodes.ts'
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

const hourMs = 3_600_000
let database: TestDatabase
let now: Date
beforeAll(async () => {
  database = await openTestDatabase()
})
beforeEach(async () => {
  await database.truncate()
  await addIssue(database)
  await countClicks(true)
  now = new Date()
})
afterAll(() => database.close())

async function countClicks(tracking: boolean) {
  const limits = { perSecond: null, perHour: null, perDomainHour: {}, warmUp: null }
  const value = { timeZone: 'UTC', limits, tracking }
  await database.db
    .insert(publicationSettings)
    .values({ name: 'sending', value, updatedAt: new Date() })
    .onConflictDoUpdate({ target: publicationSettings.name, set: { value } })
}

const deps = () =>
  sendingDeps(
    database,
    mailerOver(createOutboxTransport(createOutbox({ from: 'a@x.test', clock: () => now }))),
    () => now,
  )

const clicks = { measure: 'clicks' } as const
const twoSubjects: SubjectTest = { otherSubjects: ['Three replies that work'], share: 50, hours: 4, ...clicks }
const addTest = (subjectTest: SubjectTest = twoSubjects) => addMailing(database, { tracked: true, subjectTest })

async function addPreparedTest(subjectTest?: SubjectTest) {
  const mailing = await addTest(subjectTest)
  await prepareMailing(deps(), mailing)
  return mailing
}

const resultOf = async (mailing: string) => (await findMailing(database.db, mailing)).subjectTestResult

const click = (subject: number, count: number) =>
  database.db.execute(sql`update deliveries set clicked_at = now()
    where id in (select id from deliveries where subject_index = ${subject} order by id limit ${count})`)

test('The test goes to its share in equal groups; the others wait and get the subject with more clicks', async () => {
  await addMembers(database, 400)
  const mailing = await addPreparedTest()
  const tested = await sendDue(deps(), mailing)
  expect(tested.filter(({ subjectIndex }) => subjectIndex === 0)).toHaveLength(100)
  expect(tested.filter(({ subjectIndex }) => subjectIndex === 1)).toHaveLength(100)
  await click(0, 10)
  await click(1, 40)
  now = new Date(now.getTime() + 4 * hourMs - 1_000)
  expect(await sendDue(deps(), mailing)).toEqual([])
  expect(await resultOf(mailing)).toMatchObject({ testedAt: expect.any(String), decision: null })
  now = new Date(now.getTime() + 1_000)
  const others = await sendDue(deps(), mailing)
  expect(others).toHaveLength(200)
  expect(new Set(others.map(({ subjectIndex }) => subjectIndex))).toEqual(new Set([1]))
  expect((await resultOf(mailing))?.decision).toEqual({
    at: now.toISOString(),
    measure: 'clicks',
    outcome: 'winner',
    winner: 1,
    figures: [
      { sent: 100, clicked: 10 },
      { sent: 100, clicked: 40 },
    ],
  })
  expect(await statusOf(database, mailing)).toBe('sent')
  expect(await sums(database, mailing)).toMatchObject({ rows: { submitted: 400 }, counts: { submitted: 400 } })
})

test('If the difference may be chance, the others get the first subject', async () => {
  await addMembers(database, 200)
  const mailing = await addPreparedTest()
  await sendDue(deps(), mailing)
  await click(0, 10)
  await click(1, 14)
  now = new Date(now.getTime() + 4 * hourMs)
  const others = await sendDue(deps(), mailing)
  expect(others).toHaveLength(100)
  expect(others.every(({ subjectIndex }) => subjectIndex === 0)).toBe(true)
  expect((await resultOf(mailing))?.decision).toMatchObject({ outcome: 'cannotTell', winner: 0 })
})

test('Each recipient reads the subject of their group, and the others the winner', async () => {
  await addMembers(database, 120)
  const server = await startSmtpServer()
  const mailing = await addTest()
  const nodeDeps = sendingDeps(database, smtpNewsletterMailer(server.url), () => now)
  const sender = await startSender(nodeDeps, { idleMs: 10 })
  await until(async () => (await resultOf(mailing))?.testedAt != null)
  expect(server.received).toHaveLength(60)
  await click(1, 20)
  now = new Date(now.getTime() + 4 * hourMs)
  await until(async () => (await statusOf(database, mailing)) === 'sent')
  await sender.stop(5_000)
  await nodeDeps.newsletterMailer.close()
  await server.close()
  const index = new Map(
    (
      await queryRows<{ email: string; n: number | null }>(
        database,
        sql`select email, subject_index as n from deliveries`,
      )
    ).map(({ email, n }) => [email, n]),
  )
  expect(new Set(server.heard.map(({ to }) => to)).size).toBe(120)
  expect(server.heard).toHaveLength(120)
  for (const { to, raw } of server.received) {
    const { subject } = await simpleParser(raw, { skipHtmlToText: true })
    expect([to, subject]).toEqual([to, index.get(to) === 0 ? 'What to do this week' : 'Three replies that work'])
  }
})

test.for([
  ['there are fewer recipients than a test needs', 2, twoSubjects, true, 'tooFew'],
  ['clicks aren’t counted', 100, twoSubjects, false, 'notCounted'],
] as const)('If %s, everyone gets the first subject at once', async ([, members, given, tracking, outcome]) => {
  await addMembers(database, members)
  await countClicks(tracking)
  const mailing = await addPreparedTest(given)
  const sent = await sendDue(deps(), mailing)
  expect(sent).toHaveLength(members)
  expect(sent.every(({ subjectIndex }) => subjectIndex === 0)).toBe(true)
  expect((await resultOf(mailing))?.decision).toMatchObject({ outcome, winner: 0, figures: [] })
  expect(await statusOf(database, mailing)).toBe('sent')
})

test('Equal subjects that were scheduled together with a drop are no test', async () => {
  await addMembers(database, 100)
  const mailing = await addPreparedTest({ ...twoSubjects, otherSubjects: ['what to do  THIS week', ''] })
  expect(await sendDue(deps(), mailing)).toHaveLength(100)
  expect(await resultOf(mailing)).toBeNull()
})

test('The hours begin when each email of the test was tried, even if one has to be tried again later', async () => {
  await addMembers(database, 100)
  const mailing = await addPreparedTest()
  const node = await addNode(database)
  const { claimed } = await claim(deps(), mailing, node, { emails: 30 })
  now = new Date(now.getTime() + 5 * hourMs)
  expect((await resultOf(mailing))?.testedAt).toBeNull()
  const last = (await claim(deps(), mailing, node, { sent: claimed, emails: 30 })).claimed
  expect(last).toHaveLength(20)
  await claim(deps(), mailing, node, { sent: last.slice(1), emails: 30 })
  expect((await resultOf(mailing))?.testedAt).toBeNull()
  const later = new Date(now.getTime() + hourMs)
  await database.db
    .update(deliveries)
    .set({ status: 'pending', senderId: null, nextAttemptAt: later })
    .where(eq(deliveries.id, Number(last[0]?.id)))
  await claim(deps(), mailing, node, { emails: 30 })
  expect((await resultOf(mailing))?.testedAt).toBe(now.toISOString())
})

test('A clock that is set back postpones the decision and repeats nothing', async () => {
  await addMembers(database, 100)
  const mailing = await addPreparedTest()
  await sendDue(deps(), mailing)
  const testedAt = now
  now = new Date(testedAt.getTime() - 10 * hourMs)
  expect(await sendDue(deps(), mailing)).toEqual([])
  now = new Date(testedAt.getTime() + 4 * hourMs)
  expect(await sendDue(deps(), mailing)).toHaveLength(50)
})

test('While it is paused nothing is decided, and once resumed it is decided right away', async () => {
  await addMembers(database, 100)
  const mailing = await addPreparedTest()
  await sendDue(deps(), mailing)
  await pauseMailing(deps(), mailing)
  now = new Date(now.getTime() + 9 * hourMs)
  expect(await sendDue(deps(), mailing)).toEqual([])
  expect((await resultOf(mailing))?.decision).toBeNull()
  await resumeMailing(deps(), mailing)
  expect(await sendDue(deps(), mailing)).toHaveLength(50)
})

test('A mailing that is stopped during the test sends nothing to the others', async () => {
  await addMembers(database, 100)
  const mailing = await addPreparedTest()
  await sendDue(deps(), mailing)
  await stopMailing(deps(), mailing)
  now = new Date(now.getTime() + 9 * hourMs)
  expect(await sendDue(deps(), mailing)).toEqual([])
  expect(await sums(database, mailing)).toMatchObject({ rows: { submitted: 50, stopped: 50 } })
})

test('Whatever two nodes do in whatever order, each recipient is sent to once, with the subject that was decided once', async () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('send' as const), node: fc.nat(1), emails: fc.integer({ min: 1, max: 40 }) }),
    fc.record({ do: fc.constant('wait' as const), minutes: fc.integer({ min: -120, max: 300 }) }),
    fc.record({ do: fc.constant('click' as const), subject: fc.nat(2), count: fc.nat(30) }),
    fc.record({ do: fc.constant('pause' as const) }),
    fc.record({ do: fc.constant('resume' as const) }),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 200 }),
      fc.constantFrom<SubjectTest>(
        twoSubjects,
        { otherSubjects: ['B', 'C'], share: 50, hours: 1, ...clicks },
        { otherSubjects: ['B'], share: 30, hours: 48, ...clicks },
      ),
      fc.array(step, { maxLength: 25 }),
      async (members, given, steps) => {
        await database.truncate()
        await addIssue(database)
        await countClicks(true)
        await addMembers(database, members)
        now = new Date()
        const mailing = await addPreparedTest(given)
        const nodes = [
          { id: await addNode(database), held: [] as ClaimedDelivery[] },
          { id: await addNode(database), held: [] as ClaimedDelivery[] },
        ]
        const sent: ClaimedDelivery[] = []
        const decisions = new Set<string>()
        async function send(node: (typeof nodes)[number], emails: number) {
          const wasPaused = (await statusOf(database, mailing)) === 'paused'
          const { claimed } = await claim(deps(), mailing, node.id, { sent: node.held, emails })
          if (wasPaused) expect(claimed).toEqual([])
          sent.push(...claimed)
          node.held = claimed
          const decision = (await resultOf(mailing))?.decision
          if (decision) decisions.add(JSON.stringify(decision))
          return claimed.length
        }
        for (const each of steps) {
          if (each.do === 'send') {
            const node = nodes[each.node]
            if (node) await send(node, each.emails)
          } else if (each.do === 'wait') now = new Date(now.getTime() + each.minutes * 60_000)
          else if (each.do === 'click') await click(each.subject, each.count)
          else if (each.do === 'pause') await pauseMailing(deps(), mailing).catch(() => {})
          else await resumeMailing(deps(), mailing).catch(() => {})
        }
        await resumeMailing(deps(), mailing).catch(() => {})
        for (let round = 0; round < 3; round += 1) {
          for (let idle = 0; idle < 2; ) {
            const counts = await Promise.all(nodes.map((node) => send(node, 40)))
            idle = counts.every((count) => count === 0) ? idle + 1 : 0
          }
          now = new Date(now.getTime() + 49 * hourMs)
        }
        expect(await statusOf(database, mailing)).toBe('sent')
        expect(new Set(sent.map(({ id }) => id)).size).toBe(sent.length)
        expect(sent).toHaveLength(members)
        expect(decisions.size).toBe(1)
        const { winner } = JSON.parse([...decisions][0] ?? '')
        const drawn = await database.db.select({ id: deliveries.id, index: deliveries.subjectIndex }).from(deliveries)
        const indexOf = new Map(drawn.map(({ id, index }) => [String(id), index]))
        for (const { id, subjectIndex } of sent) expect(subjectIndex).toBe(indexOf.get(id) ?? winner)
        const share = drawn.filter(({ index }) => index !== null).length
        expect(share).toBeLessThanOrEqual((members * given.share) / 100)
      },
    ),
    { numRuns: caseCount(8, 100) },
  )
})
