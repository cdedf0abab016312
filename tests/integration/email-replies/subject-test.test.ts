import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { deliveries, publicationSettings, replyMailbox } from '#server/db/schema/index.ts'
import { createEmailLinks } from '#server/features/publishing/email-preferences/email-links.ts'
import { readReplies } from '#server/features/publishing/email-replies/read-replies.ts'
import { readSubjectTestState } from '#server/features/publishing/mailings/admin/read-mailing.ts'
import type { ClaimedDelivery } from '#server/features/publishing/mailings/sending/compose-delivery.ts'
import { findMailing, type SendingDeps } from '#server/features/publishing/mailings/sending/mailing-row.ts'
import { prepareMailing } from '#server/features/publishing/mailings/sending/prepare-mailing.ts'
import { createOutbox } from '#server/mail/outbox.ts'
import { createOutboxTransport } from '#server/mail/outbox-transport.ts'
import { hourMs, minuteMs } from '#shared/domain/durations.ts'
import type { SubjectTest } from '#shared/domain/subject-test.ts'
import { dyingAfter } from '#tests/support/dying-database.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/open-test-database.ts'
import { addNode, claim, sendDue } from '../mailings/sending/nodes.ts'
import { addIssue, addMailing, addMembers, config, mailerOver, sendingDeps } from '../mailings/sending/support.ts'
import { openMailbox } from './open-mailbox.ts'

const byReplies: SubjectTest = { otherSubjects: ['Win them back'], share: 50, hours: 4, measure: 'replies' }
const later = (ms: number) => new Date(now.getTime() + ms)
let database: TestDatabase
let now: Date

beforeAll(async () => {
  database = await openTestDatabase()
})
beforeEach(async () => {
  await database.truncate()
  await addIssue(database)
  now = new Date('2026-11-02T09:00:00Z')
})
afterAll(() => database.close())

type Mailbox = Awaited<ReturnType<typeof openMailbox>>
const depsOf = (repliesMailbox: string | null): SendingDeps => ({
  ...sendingDeps(
    database,
    mailerOver(createOutboxTransport(createOutbox({ from: 'a@x.test', clock: () => now }))),
    () => now,
  ),
  config: { ...config, repliesMailbox },
})

/** A mailing whose test was sent to half of the members just now, and an empty mailbox. */
async function startTest(members: number) {
  await addMembers(database, members)
  const mailbox = await openMailbox()
  const deps = depsOf(mailbox.address)
  // Without counted clicks: replies don't need them.
  const mailing = await addMailing(database, { subjectTest: byReplies })
  await prepareMailing(deps, mailing)
  expect(await sendDue(deps, mailing)).toHaveLength(members / 2)
  return { mailbox, deps, mailing, due: later(4 * hourMs) }
}

const resultOf = async (mailing: string) => (await findMailing(database.db, mailing)).subjectTestResult
const decisionOf = async (mailing: string) => (await resultOf(mailing))?.decision

/** The deliveries of a subject. */
const sentWith = (subject: number) =>
  database.db
    .select({ id: deliveries.id, userId: deliveries.userId, email: deliveries.email })
    .from(deliveries)
    .where(eq(deliveries.subjectIndex, subject))
    .orderBy(deliveries.id)

type Sent = Awaited<ReturnType<typeof sentWith>>[number]
let written = 0
function reply(deps: SendingDeps, { id, userId, email }: Sent, { headers = '', from = email, named = true } = {}) {
  written += 1
  const to = createEmailLinks(deps, { kind: 'issue' }).messageName({ deliveryId: String(id), userId })
  return [
    `From: ${from}`,
    'To: editor@frontcounter.test',
    'Subject: Re: What to do this week',
    `Message-ID: <reply-${written}@mail.example.test>`,
    `In-Reply-To: <${named ? `${to}@frontcounter.test` : 'replaced@mail.example.test'}>`,
    ...(headers ? [headers] : []),
    '',
    'We count twice.',
  ].join('\r\n')
}

type Replies = { subject: number; readers: [first: number, end: number]; receivedAt: Date } & Parameters<
  typeof reply
>[2]

/** Some of the readers of a subject reply. */
async function putReplies(
  deps: SendingDeps,
  { put }: Mailbox,
  { subject, readers, receivedAt, ...options }: Replies,
): Promise<void> {
  for (const sent of (await sentWith(subject)).slice(...readers)) put(reply(deps, sent, options), receivedAt)
}

const subjectsOf = (sent: readonly ClaimedDelivery[]) => [...new Set(sent.map(({ subjectIndex }) => subjectIndex))]

test('The others get the subject with more readers who replied in time, whatever else is in the mailbox', async () => {
  const { mailbox, deps, mailing, due } = await startTest(200)
  const receivedAt = later(hourMs)
  const put = (readers: [number, number], more: Partial<Replies> = {}) =>
    putReplies(deps, mailbox, { subject: 0, readers, receivedAt, ...more })
  await put([0, 8])
  await put([0, 24], { subject: 1 })
  // None of these is another reader who replied: a second reply, machines, one that anyone can write, a forwarded email, and
  // one that is late.
  await put([0, 1])
  const machines = ['Auto-Submitted: auto-replied', 'Precedence: bulk', 'X-Autoreply: yes', 'Return-Path: <>']
  for (const [index, headers] of machines.entries()) await put([10 + index, 11 + index], { headers })
  await put([20, 21], { from: 'MAILER-DAEMON@d1.test' })
  await put([21, 22], { named: false })
  await put([22, 23], { from: (await sentWith(1))[40]?.email })
  await put([23, 24], { receivedAt: due })
  now = due
  await readReplies(deps)
  const others = await sendDue(deps, mailing)
  expect(others).toHaveLength(100)
  expect(subjectsOf(others)).toEqual([1])
  expect(await decisionOf(mailing)).toEqual({
    at: due.toISOString(),
    measure: 'replies',
    outcome: 'winner',
    winner: 1,
    figures: [
      { sent: 50, clicked: 0, replied: 8 },
      { sent: 50, clicked: 0, replied: 24 },
    ],
  })
  expect(await readSubjectTestState(database.db, await findMailing(database.db, mailing), now)).toMatchObject({
    measure: 'replies',
    // The forged one; the reader of the forwarded email got another subject.
    uncountedReplies: 2,
  })
})

test('Clicks don’t decide, and if the difference in replies may be chance, the others get the first subject', async () => {
  const { mailbox, deps, mailing, due } = await startTest(200)
  await database.db.execute(sql`update deliveries set clicked_at = ${now.toISOString()} where subject_index = 1`)
  await putReplies(deps, mailbox, { subject: 0, readers: [0, 8], receivedAt: later(hourMs) })
  await putReplies(deps, mailbox, { subject: 1, readers: [0, 12], receivedAt: later(hourMs) })
  now = due
  await readReplies(deps)
  expect(subjectsOf(await sendDue(deps, mailing))).toEqual([0])
  expect(await decisionOf(mailing)).toMatchObject({
    outcome: 'cannotTell',
    winner: 0,
    figures: [
      { clicked: 0, replied: 8 },
      { clicked: 50, replied: 12 },
    ],
  })
  expect(await decisionOf(mailing)).not.toHaveProperty('problem')
})

test('The decision waits for the mailbox to be read up to its time, and counts no reply that came later', async () => {
  const { mailbox, deps, mailing, due } = await startTest(200)
  await putReplies(deps, mailbox, { subject: 0, readers: [0, 8], receivedAt: later(hourMs) })
  now = new Date(due.getTime() - minuteMs)
  await readReplies(deps)
  // These arrive after the last run: without them, the first subject would win.
  await putReplies(deps, mailbox, { subject: 1, readers: [0, 24], receivedAt: now })
  await putReplies(deps, mailbox, { subject: 0, readers: [20, 25], receivedAt: later(2 * minuteMs) })
  now = due
  expect(await sendDue(deps, mailing)).toEqual([])
  now = later(2 * minuteMs)
  expect(await sendDue(deps, mailing)).toEqual([])
  await readReplies(deps)
  expect(subjectsOf(await sendDue(deps, mailing))).toEqual([1])
  expect((await decisionOf(mailing))?.figures.map(({ replied }) => replied)).toEqual([8, 24])
})

test('If the mailbox can’t be read, the decision says so instead of using the replies that it knows', async () => {
  const { mailbox, deps, mailing, due } = await startTest(200)
  await putReplies(deps, mailbox, { subject: 1, readers: [0, 24], receivedAt: later(hourMs) })
  now = later(2 * hourMs)
  await readReplies(deps)
  // It refuses to search, which isn't the same as nothing new.
  mailbox.imap.setCommandHandler('UID SEARCH', (connection, { tag }, _data, done) => {
    connection.send({ tag, command: 'NO', attributes: [{ type: 'TEXT', value: 'Try again later' }] }, 'refused')
    done()
  })
  now = due
  await expect(readReplies(deps)).rejects.toThrow('Try again later')
  expect(await sendDue(deps, mailing)).toEqual([])
  now = later(14 * minuteMs)
  const gone = { ...deps, config: { ...config, repliesMailbox: mailbox.address.replace('testpass', 'wrong') } }
  await expect(readReplies(gone)).rejects.toThrow()
  expect(await sendDue(deps, mailing)).toEqual([])
  now = later(minuteMs)
  expect(subjectsOf(await sendDue(deps, mailing))).toEqual([0])
  expect(await decisionOf(mailing)).toEqual({
    at: now.toISOString(),
    measure: 'replies',
    outcome: 'cannotTell',
    problem: 'repliesNotRead',
    winner: 0,
    figures: [
      { sent: 50, clicked: 0 },
      { sent: 50, clicked: 0 },
    ],
  })
})

test('A server that was off at the time of the decision reads the mailbox first', async () => {
  const { mailbox, deps, mailing } = await startTest(200)
  await putReplies(deps, mailbox, { subject: 1, readers: [0, 24], receivedAt: later(hourMs) })
  now = later(30 * hourMs)
  expect(await sendDue(deps, mailing)).toEqual([])
  now = later(3 * minuteMs)
  await readReplies(deps)
  expect(subjectsOf(await sendDue(deps, mailing))).toEqual([1])
})

test('A run that leaves emails for the next one hasn’t read the mailbox to its end', async () => {
  const { mailbox, deps, mailing, due } = await startTest(200)
  await putReplies(deps, mailbox, { subject: 0, readers: [0, 12], receivedAt: later(hourMs) })
  await putReplies(deps, mailbox, { subject: 1, readers: [0, 30], receivedAt: later(hourMs) })
  now = due
  await readReplies(deps, { maxEmails: 20 })
  expect(await sendDue(deps, mailing)).toEqual([])
  await readReplies(deps, { maxEmails: 30 })
  expect(subjectsOf(await sendDue(deps, mailing))).toEqual([1])
})

test('Without a mailbox no test is made, and everyone gets the first subject at once', async () => {
  await addMembers(database, 100)
  const value = { timeZone: 'UTC', limits: { perSecond: null, perHour: null, perDomainHour: {}, warmUp: null } }
  await database.db
    .insert(publicationSettings)
    .values({ name: 'sending', value: { ...value, tracking: true }, updatedAt: now })
  const mailing = await addMailing(database, { tracked: true, subjectTest: byReplies })
  await prepareMailing(depsOf(null), mailing)
  expect(await sendDue(depsOf(null), mailing)).toHaveLength(100)
  expect(await decisionOf(mailing)).toMatchObject({ measure: 'replies', outcome: 'notCounted', figures: [] })
})

test('Wherever two nodes are killed while they read and decide, one decision is made by all replies', async () => {
  const { mailbox, deps, mailing, due } = await startTest(120)
  await putReplies(deps, mailbox, { subject: 0, readers: [0, 6], receivedAt: later(hourMs) })
  await putReplies(deps, mailbox, { subject: 1, readers: [0, 20], receivedAt: later(hourMs) })
  now = due
  const nodes = [await addNode(database), await addNode(database)]
  const decisions = new Set<string>()
  const sent: ClaimedDelivery[] = []
  const held = new Map<string, ClaimedDelivery[]>()
  for (let moments = 0; moments < 240; moments += 8) {
    const dying = () => ({ ...deps, database: { ...database, db: dyingAfter(database.db, moments).db } })
    await Promise.allSettled([readReplies(dying()), readReplies(dying())])
    for (const node of nodes) {
      const known = held.get(node) ?? []
      const stillHeld = known.map(({ id }) => id)
      const done = await claim(dying(), mailing, node, { sent: known, emails: 5, stillHeld }).catch(() => null)
      if (done) sent.push(...done.claimed)
      if (done) held.set(node, done.claimed)
      const decision = await decisionOf(mailing)
      if (decision) decisions.add(JSON.stringify(decision))
    }
  }
  for (const node of nodes) {
    const known = held.get(node) ?? []
    await claim(deps, mailing, node, { sent: known, emails: 0, stillHeld: known.map(({ id }) => id) })
  }
  sent.push(...(await sendDue(deps, mailing)))
  decisions.add(JSON.stringify(await decisionOf(mailing)))
  expect(decisions.size).toBe(1)
  expect(await decisionOf(mailing)).toMatchObject({ outcome: 'winner', figures: [{ replied: 6 }, { replied: 20 }] })
  expect(new Set(sent.map(({ id }) => id)).size).toBe(60)
  expect(sent).toHaveLength(60)
  expect(subjectsOf(sent)).toEqual([1])
  const [row] = await database.db.select().from(replyMailbox)
  expect(row?.readThrough).toEqual(due)
})
