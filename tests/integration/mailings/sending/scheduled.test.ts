import { eq, sql } from 'drizzle-orm'
import { simpleParser } from 'mailparser'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { issueSections, issues, mailings } from '#server/db/schema/index.ts'
import { checkLinks } from '#server/features/publishing/mailings/checks/check-links.ts'
import type { SendingDeps } from '#server/features/publishing/mailings/sending/mailing-row.ts'
import { updateScheduled } from '#server/features/publishing/mailings/sending/mailing-transitions.ts'
import { type SenderOptions, startSender } from '#server/features/publishing/mailings/sending/start-sender.ts'
import type { Email } from '#server/mail/mailer.ts'
import type { Envelope } from '#server/mail/newsletter-mailer.ts'
import type { MailingProblem } from '#shared/contracts/publishing/mailing-preview.ts'
import { mailingContentSchema, sendFailureSchema } from '#shared/contracts/publishing/newsletter.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/open-test-database.ts'
import {
  addAdmin,
  addIssue,
  addMailing,
  addMembers,
  mailerOver,
  sendingDeps,
  startDraft,
  statusOf,
  sums,
  until,
} from './support.ts'

let database: TestDatabase
let clock = new Date()
let alerts: Email[] = []
let emails: Envelope[] = []
beforeAll(async () => {
  database = await openTestDatabase()
})
beforeEach(async () => {
  await database.truncate()
  await addIssue(database)
  await addAdmin(database)
  clock = new Date('2026-11-22T12:00:00Z')
  alerts = []
  emails = []
})
afterAll(() => database.close())

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

function deps(): SendingDeps {
  const newsletterMailer = mailerOver({
    slots: 4,
    async send(envelope) {
      emails.push(envelope)
      return { kind: 'accepted', response: '250 taken' }
    },
    ready: async () => {},
    transportError: () => null,
    close: async () => {},
  })
  return sendingDeps(database, newsletterMailer, () => clock, alerts)
}

const noProblems = async () => []
const broken: MailingProblem = {
  severity: 'error',
  check: 'link',
  message: 'https://a.test is not there',
  place: 'Intro',
  target: null,
}
const brokenInWords = 'Intro: https://a.test is not there'

async function send(options: SenderOptions = {}, over = deps()) {
  const sender = await startSender(over, { idleMs: 10, findProblems: noProblems, ...options })
  closers.push(() => sender.stop(1_000))
}

const at = new Date('2026-11-22T13:00:00Z')
async function scheduled(values: Parameters<typeof addMailing>[1] = {}) {
  const id = await addMailing(database, { status: 'draft', ...values })
  await startDraft(deps(), id, { at })
  return id
}
const waitForStatus = (mailing: string, status: string) =>
  until(async () => (await statusOf(database, mailing)) === status)
const rowOf = async (mailing: string) => (await database.db.select().from(mailings).where(eq(mailings.id, mailing)))[0]

test('A scheduled mailing sends the text that it was scheduled with, whatever is edited since', async () => {
  await addMembers(database, 2)
  const mailing = await scheduled()
  await database.db.update(issueSections).set({ heading: 'Changed' })
  await database.db.update(issues).set({ title: 'Changed' })
  await send()
  clock = at
  await waitForStatus(mailing, 'sent')
  expect(emails).toHaveLength(2)
  const { text } = await simpleParser(emails[0]?.message ?? '')
  expect(text).toMatch(/item 3 of issue-1/i)
  expect(text).not.toMatch(/changed/i)
  expect(alerts).toEqual([])
})

test('It is checked again at its time: a new error holds it back, and two nodes notify the publisher once', async () => {
  await addMembers(database, 3)
  const mailing = await scheduled()
  const findProblems = async () => [broken, { ...broken, severity: 'warning' as const, message: 'is slow' }]
  await send({ findProblems })
  await send({ findProblems })
  clock = at
  await waitForStatus(mailing, 'draft')
  const row = await rowOf(mailing)
  expect(row).toMatchObject({ scheduledAt: null, frozenAt: null, content: null, version: 2 })
  expect(sendFailureSchema.parse(row?.sendFailure)).toEqual({
    reason: 'checks',
    errors: [brokenInWords],
    scheduledAt: at.toISOString(),
    at: at.toISOString(),
  })
  expect(await sums(database, mailing)).toEqual({ rows: {}, counts: {} })
  expect(alerts).toMatchObject([{ to: 'boss@example.test', subject: '“What to do this week” wasn’t sent' }])
  // In the publication's time zone, with its name.
  expect(alerts[0]?.text.replaceAll(/\s+/g, ' ')).toContain('for Sunday, November 22, 2026 at 8:00 AM EST')
  expect(alerts[0]?.text).toContain(brokenInWords)
  expect(alerts[0]?.text).toContain(`/admin/newsletter/${mailing}`)
  expect(emails).toEqual([])
})

test('An error acknowledged when scheduling holds nothing back', async () => {
  await addMembers(database, 1)
  const mailing = await scheduled()
  await database.db.update(mailings).set({ acceptedErrors: [brokenInWords] })
  await send({ findProblems: async () => [broken] })
  clock = at
  await waitForStatus(mailing, 'sent')
})

test('A mailing whose links get no answer goes out after the deadline of the checks', async () => {
  await addMembers(database, 1)
  await database.db.update(issueSections).set({ body: 'See [the shop](https://silent.test/).' })
  const mailing = await scheduled()
  const asked: string[] = []
  const deadline = new AbortController()
  const links = {
    config: { publicUrl: 'https://front.test' },
    fetchLink: ({ href }: URL) => {
      asked.push(href)
      deadline.abort()
      return new Promise<never>(() => {})
    },
    pageExists: async () => true,
    startDeadline: () => deadline.signal,
  }
  const findProblems: SenderOptions['findProblems'] = async (content) =>
    (await checkLinks(content, links)).map((problem) => ({ ...problem, place: null, target: null }))
  await send({ findProblems })
  clock = at
  await waitForStatus(mailing, 'sent')
  expect(asked).toEqual(['https://silent.test/'])
})

test('A drop that is unpublished at the time is not sent; one published again before it is', async () => {
  await addMembers(database, 1)
  const mailing = await scheduled()
  await database.db.update(issues).set({ publishedAt: null })
  await send()
  clock = at
  await waitForStatus(mailing, 'draft')
  expect(await rowOf(mailing)).toMatchObject({ sendFailure: { reason: 'unpublished' } })
  expect(alerts).toHaveLength(1)
  await database.db.update(issues).set({ publishedAt: clock })
  await startDraft(deps(), mailing, { version: 2, at: new Date(clock.getTime() + 1000) })
  await database.db.update(issues).set({ publishedAt: null })
  await database.db.update(issues).set({ publishedAt: clock })
  clock = new Date(clock.getTime() + 1000)
  await waitForStatus(mailing, 'sent')
  expect(await rowOf(mailing)).toMatchObject({ sendFailure: null })
  expect(alerts).toHaveLength(1)
})

test('A mailing without recipients is held back, and prepares no rows', async () => {
  await addMembers(database, 2)
  const mailing = await scheduled()
  await database.db.execute(sql`update auth.users set banned_until = now() + interval '1 day' where email like 'r%'`)
  await send()
  clock = at
  await waitForStatus(mailing, 'draft')
  expect(await rowOf(mailing)).toMatchObject({ sendFailure: { reason: 'noRecipients' } })
  expect(await sums(database, mailing)).toEqual({ rows: {}, counts: {} })
  expect(alerts).toHaveLength(1)
})

test('News keeps its text when it is held back', async () => {
  await addMembers(database, 1)
  const text = {
    preheader: '',
    title: 'News',
    date: null,
    intro: 'What is new.',
    sections: [],
    closing: '',
    path: null,
  }
  const mailing = await scheduled({ kind: 'news', issueId: null, content: { kind: 'news', subject: '', ...text } })
  await send({ findProblems: async () => [broken] })
  clock = at
  await waitForStatus(mailing, 'draft')
  expect(mailingContentSchema.parse((await rowOf(mailing))?.content)).toMatchObject({ intro: 'What is new.' })
})

test('A crash before the alert is written leaves the mailing scheduled, and the next poll sends one alert', async () => {
  await addMembers(database, 1)
  const mailing = await scheduled()
  const over = deps()
  let crashes = 2
  const enqueue: SendingDeps['enqueue'] = async (...job) => {
    if (crashes > 0) {
      crashes -= 1
      throw new Error('died')
    }
    return over.enqueue(...job)
  }
  const seen: unknown[] = []
  const findProblems = async () => {
    seen.push(await statusOf(database, mailing))
    return [broken]
  }
  await send({ findProblems }, { ...over, enqueue })
  clock = at
  await waitForStatus(mailing, 'draft')
  expect(seen).toEqual(['scheduled', 'scheduled', 'scheduled'])
  expect(alerts).toHaveLength(1)
})

test('Checking one mailing doesn’t block others, and a text updated meanwhile is checked again', async () => {
  await addMembers(database, 1)
  await addIssue(database, 'issue-2')
  const mailing = await scheduled()
  const gate = Promise.withResolvers<void>()
  const checked: string[] = []
  const findProblems: SenderOptions['findProblems'] = async ({ intro }) => {
    checked.push(intro)
    if (checked.length > 1) return []
    await gate.promise
    return [broken]
  }
  await send({ findProblems })
  clock = at
  await until(() => checked.length === 1)
  const other = await addMailing(database, { issueId: 'issue-2' })
  await waitForStatus(other, 'sent')
  expect(await statusOf(database, mailing)).toBe('scheduled')
  const content = mailingContentSchema.parse((await rowOf(mailing))?.content)
  await updateScheduled(deps(), {
    id: mailing,
    version: 1,
    content: { ...content, intro: 'Mended.' },
    acceptedErrors: [],
  })
  gate.resolve()
  await waitForStatus(mailing, 'sent')
  expect(checked.at(-1)).toBe('Mended.')
  expect(alerts).toEqual([])
})
