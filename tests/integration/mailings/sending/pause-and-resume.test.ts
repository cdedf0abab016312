import { eq, sql } from 'drizzle-orm'
import { simpleParser } from 'mailparser'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { auditLogEntries, emailPreferences, issues, mailings, publicationSettings } from '#server/db/schema/index.ts'
import { createMonthlyDigest } from '#server/features/publishing/mailings/sending/create-monthly-digest.ts'
import type { SendingDeps } from '#server/features/publishing/mailings/sending/mailing-row.ts'
import {
  pauseMailing,
  resumeMailing,
  stopMailing,
} from '#server/features/publishing/mailings/sending/mailing-transitions.ts'
import { prepareMailing } from '#server/features/publishing/mailings/sending/prepare-mailing.ts'
import { resendUnknown } from '#server/features/publishing/mailings/sending/resend.ts'
import type { SendingLimits } from '#server/features/publishing/mailings/sending/sending-limits.ts'
import { type SenderOptions, startSender } from '#server/features/publishing/mailings/sending/start-sender.ts'
import { createLogger } from '#server/http/logger.ts'
import type { Email } from '#server/mail/mailer.ts'
import type { Envelope, MailTransport } from '#server/mail/newsletter-mailer.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/open-test-database.ts'
import { startSmtpServer } from '#tests/support/smtp-server.ts'
import {
  addAdmin,
  addIssue,
  addMailing,
  addMembers,
  mailerOver,
  sendingDeps,
  smtpNewsletterMailer,
  startDraft,
  statusOf,
  sums,
  until,
} from './support.ts'

let database: TestDatabase
let clock = new Date()
/** The sender reads the clock whenever it looks for something to do. */
let clockReads = 0
beforeAll(async () => {
  database = await openTestDatabase()
})
beforeEach(async () => {
  await database.truncate()
  await addIssue(database)
  clock = new Date()
  alerts.length = 0
})
afterAll(() => database.close())

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** Responds at once, or when released. */
function transport(
  options: { slots?: number; gate?: () => Promise<void> } = {},
): MailTransport & { emails: Envelope[] } {
  const emails: Envelope[] = []
  return {
    emails: emails,
    slots: options.slots ?? 4,
    async send(envelope) {
      emails.push(envelope)
      await options.gate?.()
      return { kind: 'accepted', response: '250 taken' }
    },
    ready: async () => {},
    transportError: () => null,
    close: async () => {},
  }
}

const alerts: Email[] = []
const depsOf = (over: MailTransport): SendingDeps => sendingDeps(database, mailerOver(over), readClock, alerts)

function readClock() {
  clockReads += 1
  return clock
}

async function send(deps: SendingDeps, options: SenderOptions = {}) {
  // The generated issues contain arbitrary links, which are not requested.
  const sender = await startSender(deps, { idleMs: 10, findProblems: async () => [], ...options })
  closers.push(() => sender.stop(1_000))
}

const waitForStatus = (mailing: string, status: string) =>
  until(async () => (await statusOf(database, mailing)) === status)
const rowOf = async (mailing: string) => (await database.db.select().from(mailings).where(eq(mailings.id, mailing)))[0]

async function setLimits(change: Partial<SendingLimits>, more: object = {}) {
  const value = {
    timeZone: 'America/New_York',
    limits: { perSecond: null, perHour: null, perDomainHour: {}, warmUp: null, ...change },
    tracking: false,
    ...more,
  }
  const row = { name: 'sending', value, updatedAt: new Date() }
  await database.db
    .insert(publicationSettings)
    .values(row)
    .onConflictDoUpdate({ target: publicationSettings.name, set: row })
}

/** Waits until the sender has looked for something to do several times and has found no more emails to send. */
async function settle(over: { emails: unknown[] }) {
  for (let sent = -1; over.emails.length !== sent; ) {
    sent = over.emails.length
    await readsOfClock(20)
  }
  return over.emails.length
}

async function readsOfClock(count: number) {
  const enough = clockReads + count
  await until(() => clockReads >= enough)
}

test('Pausing starts no more emails, resuming continues, and stopping skips the rest', async () => {
  await addMembers(database, 60)
  let open = () => {}
  let gate = Promise.withResolvers<void>()
  const over = transport({ slots: 2, gate: () => gate.promise })
  open = () => {
    gate.resolve()
    gate = Promise.withResolvers<void>()
  }
  const deps = depsOf(over)
  const mailing = await addMailing(database)
  await send(deps)
  await until(() => over.emails.length === 2)
  await pauseMailing(deps, mailing)
  // Emails claimed before the pause are sent.
  const opening = setInterval(open, 5)
  closers.push(async () => clearInterval(opening))
  const allRecorded = () => until(async () => !('sending' in (await sums(database, mailing)).rows))
  await allRecorded()
  const atPause = await settle(over)
  expect(atPause).toBeLessThanOrEqual(12)
  expect((await sums(database, mailing)).rows).toEqual({ submitted: atPause, pending: 60 - atPause })
  expect(await rowOf(mailing)).toMatchObject({ status: 'paused', pauseReason: 'publisher' })
  await resumeMailing(deps, mailing)
  await until(() => over.emails.length > atPause + 10)
  await stopMailing(deps, mailing)
  await allRecorded()
  const atStop = await settle(over)
  const wanted = { submitted: atStop, stopped: 60 - atStop }
  await expect.poll(() => sums(database, mailing), { timeout: 20_000 }).toEqual({ rows: wanted, counts: wanted })
  await expect(resumeMailing(deps, mailing)).rejects.toMatchObject({ code: 'mailing_not_changeable' })
})

test('A mailing waits for its scheduled time', async () => {
  await addMembers(database, 3)
  const over = transport()
  const deps = depsOf(over)
  const mailing = await addMailing(database, { status: 'draft' })
  const at = new Date(clock.getTime() + 3_600_000)
  expect(await startDraft(deps, mailing, { at })).toBe('scheduled')
  await send(deps)
  expect(await settle(over)).toBe(0)
  clock = at
  await waitForStatus(mailing, 'sent')
  expect(over.emails).toHaveLength(3)
})

test('The hourly limit of the publisher is kept, even across restarts', async () => {
  await addMembers(database, 25)
  await setLimits({ perHour: 10 })
  clock = new Date('2026-10-10T10:00:30Z')
  const over = transport()
  const mailing = await addMailing(database)
  const first = await startSender(depsOf(over), { idleMs: 10 })
  await until(() => over.emails.length === 10)
  expect(await settle(over)).toBe(10)
  await first.stop(1_000)
  await send(depsOf(over))
  clock = new Date('2026-10-10T10:59:50Z')
  expect(await settle(over)).toBe(10)
  clock = new Date('2026-10-10T11:00:30Z')
  await until(() => over.emails.length === 20)
  expect(await settle(over)).toBe(20)
  clock = new Date('2026-10-10T12:00:30Z')
  await waitForStatus(mailing, 'sent')
})

test('A receiving domain at its limit doesn’t hold up the others', async () => {
  await addMembers(database, 30, { domains: 3 })
  await setLimits({ perDomainHour: { 'd0.test': 2, 'd1.test': 5 } })
  clock = new Date('2026-10-10T10:00:30Z')
  const over = transport()
  const mailing = await addMailing(database)
  await send(depsOf(over))
  await until(() => over.emails.length === 17)
  expect(await settle(over)).toBe(17)
  const to = (domain: string) => over.emails.filter((email) => email.to.endsWith(domain)).length
  expect([to('d0.test'), to('d1.test'), to('d2.test')]).toEqual([2, 5, 10])
  clock = new Date('2026-10-10T11:00:30Z')
  await until(() => over.emails.length === 24)
  expect([to('d0.test'), to('d1.test')]).toEqual([4, 10])
  expect(await statusOf(database, mailing)).toBe('sending')
})

test('A new sending domain starts small and grows daily, in the publication’s time zone', async () => {
  await addMembers(database, 40)
  await setLimits({ warmUp: { startedOn: '2026-10-10', firstDay: 5, growth: 2, end: 20 } })
  const over = transport()
  const mailing = await addMailing(database)
  // It is still the first day in New York.
  for (const [now, wanted] of [
    ['2026-10-10T16:00:00Z', 5],
    ['2026-10-11T03:59:00Z', 5],
    ['2026-10-11T04:01:00Z', 15],
  ] as const) {
    clock = new Date(now)
    const sender = await startSender(depsOf(over), { idleMs: 10 })
    await until(() => over.emails.length >= wanted)
    expect(await settle(over)).toBe(wanted)
    await sender.stop(1_000)
  }
  // The third day would allow as many as the end of the warm-up, so nothing is held back from here on.
  clock = new Date('2026-10-12T16:00:00Z')
  await send(depsOf(over))
  await waitForStatus(mailing, 'sent')
})

test('Changed limits apply to a running mailing from the next poll on', async () => {
  await addMembers(database, 60, { domains: 2 })
  const warmUp = { startedOn: '2026-10-10', firstDay: 5, growth: 2, end: 1_000 }
  await setLimits({ warmUp })
  clock = new Date('2026-10-10T16:00:30Z')
  const over = transport()
  const mailing = await addMailing(database)
  await send(depsOf(over))
  await until(() => over.emails.length === 5)
  expect(await settle(over)).toBe(5)
  await setLimits({ warmUp: { ...warmUp, firstDay: 12 } })
  await until(() => over.emails.length === 12)
  expect(await settle(over)).toBe(12)
  // The warm-up is replaced by a limit per domain, which counts from now and is raised within the same minute.
  await setLimits({ perDomainHour: { '*': 10 } })
  await until(() => over.emails.length === 32)
  expect(await settle(over)).toBe(32)
  await setLimits({ perDomainHour: { '*': 15 } })
  await until(() => over.emails.length === 42)
  expect(await settle(over)).toBe(42)
  await setLimits({})
  await waitForStatus(mailing, 'sent')
  expect((await sums(database, mailing)).rows).toEqual({ submitted: 60 })
})

test('A warm-up limits nothing before its first day, and counts from midnight on that day', async () => {
  await addMembers(database, 20)
  await setLimits({ warmUp: { startedOn: '2026-10-11', firstDay: 3, growth: 2, end: 1_000 } })
  clock = new Date('2026-10-11T03:59:30Z')
  const over = transport()
  await send(depsOf(over))
  await waitForStatus(await addMailing(database), 'sent')
  expect(over.emails).toHaveLength(20)
  await addIssue(database, 'issue-2')
  clock = new Date('2026-10-11T04:00:30Z')
  await addMailing(database, { issueId: 'issue-2' })
  await until(() => over.emails.length === 23)
  expect(await settle(over)).toBe(23)
})

test('The per-second limit of the publisher is kept', async () => {
  await addMembers(database, 30)
  await setLimits({ perSecond: 20 })
  clock = new Date('2026-10-10T10:00:00.000Z')
  const over = transport({ slots: 10 })
  const mailing = await addMailing(database)
  await send(depsOf(over))
  await until(() => over.emails.length > 0)
  expect(await settle(over)).toBe(5)
  clock = new Date(clock.getTime() + 500)
  await until(() => over.emails.length > 5)
  expect(await settle(over)).toBeLessThanOrEqual(15)
  while ((await statusOf(database, mailing)) !== 'sent') {
    clock = new Date(clock.getTime() + 50)
    await readsOfClock(5)
  }
  expect(clock.getTime() - Date.parse('2026-10-10T10:00:00Z')).toBeGreaterThanOrEqual(1_200)
})

test.each([
  ['hard bounces', 'bounces', sql`bounced_at = now(), bounce_type = 'hard'`, 5],
  ['complaints', 'complaints', sql`complained_at = now()`, 1],
])(
  'With too many %s it pauses automatically, notifies the publisher, and continues when resumed',
  async (_, reason, change, enough) => {
    await addMembers(database, 200)
    await addAdmin(database)
    const over = transport()
    const deps = depsOf(over)
    const mailing = await addMailing(database)
    await prepareMailing(deps, mailing)
    // A hundred were sent already.
    await database.db.execute(sql`update deliveries set status = 'submitted' where id in
    (select id from deliveries order by id limit 100)`)
    await database.db.execute(sql`update deliveries set ${change} where id in
    (select id from deliveries where status = 'submitted' order by id limit ${enough})`)
    await send(deps)
    await waitForStatus(mailing, 'paused')
    expect(await rowOf(mailing)).toMatchObject({ pauseReason: reason })
    expect(alerts).toMatchObject([{ to: 'boss@example.test', subject: '“What to do this week” paused automatically' }])
    expect((await sums(database, mailing)).rows).toEqual({ submitted: 100, pending: 100 })
    await resumeMailing(deps, mailing)
    await waitForStatus(mailing, 'sent')
  },
)

test('A server that rejects our sign-in pauses the mailing and fails no recipient', async () => {
  await addMembers(database, 20)
  const over = transport()
  const shut: MailTransport = {
    ...over,
    send: async () => ({ kind: 'unsent', response: '535 wrong password' }),
    transportError: () => ({ response: '535 wrong password', failures: 3, isPermanent: true }),
  }
  const mailing = await addMailing(database)
  await send(depsOf(shut))
  await waitForStatus(mailing, 'paused')
  expect(await rowOf(mailing)).toMatchObject({ pauseReason: 'transport' })
  expect((await sums(database, mailing)).rows).toEqual({ pending: 20 })
})

test('A mail server whose certificate isn’t trusted pauses the mailing with the reason', async () => {
  await addMembers(database, 20)
  const server = await startSmtpServer({ isSelfSigned: true })
  closers.push(() => server.close())
  const lines: string[] = []
  const newsletterMailer = smtpNewsletterMailer(server.url)
  closers.push(() => newsletterMailer.close())
  const logger = createLogger('error', { write: (line) => void lines.push(line) })
  const mailing = await addMailing(database)
  await send({ ...sendingDeps(database, newsletterMailer, readClock, alerts), logger })
  await waitForStatus(mailing, 'paused')
  expect(await rowOf(mailing)).toMatchObject({ pauseReason: 'transport' })
  expect((await sums(database, mailing)).rows).toEqual({ pending: 20 })
  expect(server.heard).toEqual([])
  expect(lines.join('')).toContain('certificate')
})

const boss = { userId: '00000000-0000-4000-8000-00000000b055', email: 'boss@example.test' }

test('Unknown deliveries are resent only by hand, to the chosen members, and the log says by whom', async () => {
  await addMembers(database, 6)
  const over = transport()
  const deps = depsOf(over)
  const mailing = await addMailing(database)
  await prepareMailing(deps, mailing)
  await database.db.execute(sql`update deliveries set status = 'unknown', cause = 'no_answer' where id <= 3`)
  await send(deps)
  await waitForStatus(mailing, 'sent')
  expect(over.emails).toHaveLength(3)
  // The fourth one isn't unknown.
  expect(await resendUnknown(deps, mailing, ['1', '2', '4'], boss)).toEqual({ resent: 2 })
  await waitForStatus(mailing, 'sent')
  expect(await sums(database, mailing)).toEqual({
    rows: { submitted: 5, 'unknown no_answer': 1 },
    counts: { submitted: 5, 'unknown no_answer': 1 },
  })
  const [line] = await database.db.select().from(auditLogEntries)
  expect(line?.payload).toMatchObject({ action: 'letters_resent', by: 'boss@example.test' })
})

test('On the first of a month a digest of the previous month is created once, if someone wants one', async () => {
  await addMembers(database, 3)
  const { db } = database
  const deps = { database, clock: () => clock }
  await db.update(issues).set({ date: '2026-10-31' })
  await addIssue(database, 'issue-2', '2026-11-01')
  clock = new Date('2026-11-01T15:00:00Z')
  expect(await createMonthlyDigest(deps)).toBeNull()
  await db
    .insert(emailPreferences)
    .values({ userId: '00000000-0000-4000-8000-000000000002', drops: 'monthly', updatedAt: clock })
  clock = new Date('2026-11-02T15:00:00Z')
  expect(await createMonthlyDigest(deps)).toBeNull()
  // Midnight UTC is still October in New York.
  clock = new Date('2026-11-01T01:00:00Z')
  expect(await createMonthlyDigest(deps)).toBeNull()
  clock = new Date('2026-11-01T15:00:00Z')
  const made = await Promise.all([createMonthlyDigest(deps), createMonthlyDigest(deps)])
  expect(made.filter((id) => id !== null)).toHaveLength(1)
  expect(await createMonthlyDigest(deps)).toBeNull()
  const id = made.find((each) => each !== null) ?? ''
  expect(await statusOf(database, id)).toBe('draft')
  const over = transport()
  await startDraft(depsOf(over), id)
  await send(depsOf(over))
  await waitForStatus(id, 'sent')
  expect(over.emails.map(({ to }) => to)).toEqual(['r2@d2.test'])
  const { text } = await simpleParser(over.emails[0]?.message ?? '')
  expect(text).toContain('ITEM 3 OF ISSUE-1')
  expect(text).not.toMatch(/issue-2/i)
})

test('If the settings say so, the digest is sent automatically', async () => {
  await addMembers(database, 2)
  await setLimits({}, { digest: 'send' })
  await database.db.update(issues).set({ date: '2026-10-15' })
  await database.db
    .insert(emailPreferences)
    .values({ userId: '00000000-0000-4000-8000-000000000001', drops: 'monthly', updatedAt: clock })
  clock = new Date('2026-11-01T15:00:00Z')
  const id = (await createMonthlyDigest({ database, clock: () => clock })) ?? ''
  const over = transport()
  await send(depsOf(over))
  await waitForStatus(id, 'sent')
  expect(over.emails).toHaveLength(1)
})
