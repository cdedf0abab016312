import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { simpleParser } from 'mailparser'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { emailPreferences, subscriptionState, users } from '#server/db/schema/index.ts'
import { readIssueContent } from '#server/features/publishing/documents/issue-content.ts'
import type { SendingDeps } from '#server/features/publishing/mailings/sending/mailing-row.ts'
import { prepareMailing } from '#server/features/publishing/mailings/sending/prepare-mailing.ts'
import { type SenderOptions, startSender } from '#server/features/publishing/mailings/sending/start-sender.ts'
import { createDkimSigner } from '#server/mail/dkim.ts'
import { createNewsletterMailer } from '#server/mail/newsletter-mailer.ts'
import { createSmtpTransport } from '#server/mail/smtp-transport.ts'
import { onEvent } from '#server/monitoring/events.ts'
import { parseReader } from '#shared/contracts/reader/reader.ts'
import { rankSections } from '#shared/domain/rank-sections.ts'
import { publicationDefaults } from '#shared/publication-defaults.ts'
import { caseCount } from '#tests/support/case-count.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/open-test-database.ts'
import { type Behavior, startSmtpServer } from '#tests/support/smtp-server.ts'
import {
  addIssue,
  addMailing,
  addMembers,
  from,
  queryRows,
  sendingDeps,
  smtpNewsletterMailer,
  statusOf,
  sums,
  until,
} from './support.ts'

/** `NEWSLETTER_MAILS=10000` for a full run. */
const many = caseCount(500, 2_000, 'NEWSLETTER_MAILS')

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
beforeEach(async () => {
  await database.truncate()
  await addIssue(database)
})
afterAll(() => database.close())

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function serve(options: Parameters<typeof startSmtpServer>[0] = {}) {
  const server = await startSmtpServer(options)
  closers.push(() => server.close())
  return server
}

async function send(deps: SendingDeps, options: SenderOptions = {}) {
  const sender = await startSender(deps, { idleMs: 20, ...options })
  closers.push(async () => {
    await sender.stop(1_000)
    await deps.newsletterMailer.close()
  })
  return sender
}

const sent = (mailing: string) => until(async () => (await statusOf(database, mailing)) === 'sent')
const alike = (rows: Record<string, number>) => ({ rows, counts: rows })
const memberId = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

test(`Each of ${many} members gets one email, signed, with every section once and in their own order`, {
  timeout: Math.max(900_000, many * 300),
}, async () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'der' },
  })
  await addMembers(database, many)
  const server = await serve()
  const signer = await createDkimSigner({ domain: 'example.test', selector: 's1', privateKey })
  const transport = createSmtpTransport({ url: server.url, connections: 5 })
  const mailing = await addMailing(database)
  await send(sendingDeps(database, createNewsletterMailer({ transport, signer, from })))
  await sent(mailing)
  expect(await sums(database, mailing)).toEqual(alike({ submitted: many }))
  expect(server.heard).toHaveLength(many)

  const readers = await queryRows<{ email: string; name: string | null; reader: string }>(
    database,
    sql`select email, name, reader from deliveries`,
  )
  const byAddress = new Map(readers.map((each) => [each.email, each]))
  const { sections } = await readIssueContent(database.db, 'issue-1')
  const orders = new Set<string>()
  const seen = new Set<string>()
  for (const { to, raw } of server.received) {
    const message = await simpleParser(raw, { skipHtmlToText: true, skipTextToHtml: true })
    const reader = byAddress.get(to)
    const { order } = rankSections(
      publicationDefaults,
      sections,
      parseReader(publicationDefaults, JSON.parse(reader?.reader ?? '')),
    )
    const headings = order.map((index) => sections[index]?.heading)
    const found = (text: string) => [...text.matchAll(/item (\d) of issue-1/gi)].map(([, n]) => `Item ${n} of issue-1`)
    // A table of contents with the same order comes before the sections.
    expect([to, found(message.text ?? '').slice(-6)]).toEqual([to, headings])
    expect([to, found(`${message.html}`).slice(-6)]).toEqual([to, headings])
    expect(message.text).toContain(`Hello ${reader?.name ? 'Reader' : 'there'}`)
    expect(message.to).toMatchObject({ text: expect.stringContaining(to) })
    orders.add(order.join())
    seen.add(message.messageId ?? '')
  }
  expect(seen.size).toBe(many)
  expect(orders.size).toBeGreaterThan(10)

  const resolver = async () => [[`v=DKIM1; k=rsa; p=${publicKey.toString('base64')}`]]
  for (const { raw } of server.received.slice(0, 20)) {
    const { results } = await dkimVerify(raw, { resolver })
    expect(results.map(({ status }) => status.result)).toEqual(['pass'])
    expect(results[0]?.signingHeaders?.keys).toMatch(/From.*List-Unsubscribe: List-Unsubscribe-Post/i)
  }
})

test('Each response of the mail server is counted, and no one gets two emails', async () => {
  await addMembers(database, 200, { domains: 1 })
  const tries = new Map<string, number>()
  const behaviours: Behavior[] = ['accept', { refuse: 550 }, { refuse: 451 }, { refuseData: 554 }, 'hang up after data']
  const server = await serve({
    behave(to) {
      const n = Number(/\d+/.exec(to)?.[0])
      if (n % 20 === 2) {
        // A temporary failure, the first two times.
        const tried = (tries.get(to) ?? 0) + 1
        tries.set(to, tried)
        return tried > 2 ? 'accept' : { refuse: 450 }
      }
      return n % 20 < 5 ? (behaviours[n % 20] ?? 'accept') : n % 20 === 7 ? { refuse: 452 } : 'accept'
    },
  })
  const mailing = await addMailing(database)
  const outcomes: Record<string, number> = {}
  const stop = onEvent('delivery', ({ outcome }) => {
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
  })
  closers.push(async () => stop())
  await send(sendingDeps(database, smtpNewsletterMailer(server.url)), { retryPausesMs: [0, 0, 0] })
  await sent(mailing)
  expect(await sums(database, mailing)).toEqual(
    alike({ submitted: 160, 'failed refused': 20, 'failed retries_exhausted': 10, 'unknown no_answer': 10 }),
  )
  // Monitoring counts attempts: ten addresses are retried twice, and ten three times in vain.
  expect(outcomes).toEqual({ submitted: 160, failed: 30, unknown: 10, retry: 50 })
  const heard = server.heard.map(({ to }) => to).filter((to) => Number(/\d+/.exec(to)?.[0]) % 20 !== 3)
  expect(new Set(heard).size).toBe(heard.length)
})

test('While the mail server is down no recipient fails; when it is back everyone gets their email', async () => {
  await addMembers(database, 40)
  const first = await startSmtpServer()
  const mailing = await addMailing(database)
  await send(sendingDeps(database, smtpNewsletterMailer(first.url)))
  await until(() => first.received.length >= 10)
  await first.close()
  const lost = (await sums(database, mailing)).rows['unknown no_answer'] ?? 0
  const second = await serve({ port: Number(new URL(first.url).port) })
  await sent(mailing)
  const { rows } = await sums(database, mailing)
  expect((rows.submitted ?? 0) + (rows['unknown no_answer'] ?? 0)).toBe(40)
  expect(rows['unknown no_answer'] ?? 0).toBeLessThanOrEqual(lost + 5)
  const got = [...first.received, ...second.received].map(({ to }) => to)
  expect(new Set(got).size).toBe(got.length)
})

test('A recipient who is no longer eligible gets nothing, and a changed address gets the email instead of the old one', async () => {
  await addMembers(database, 12)
  const server = await serve()
  const deps = sendingDeps(database, smtpNewsletterMailer(server.url))
  const mailing = await addMailing(database)
  await prepareMailing(deps, mailing)
  const { db } = database
  await db
    .update(subscriptionState)
    .set({ status: 'canceled' })
    .where(eq(subscriptionState.userId, memberId(1)))
  await db.insert(emailPreferences).values({ userId: memberId(2), drops: 'off', updatedAt: new Date() })
  await db.delete(users).where(eq(users.id, memberId(3)))
  await db
    .update(users)
    .set({ email: 'new@elsewhere.test' })
    .where(eq(users.id, memberId(4)))
  await send(deps)
  await sent(mailing)
  expect(await sums(database, mailing)).toEqual(
    alike({
      submitted: 9,
      'suppressed not_entitled': 1,
      'suppressed unsubscribed': 1,
      'suppressed account_gone': 1,
    }),
  )
  const addresses = server.received.map(({ to }) => to)
  expect(addresses).toContain('new@elsewhere.test')
  expect(addresses).not.toContain('r4@d1.test')
})

test('Deliveries in progress when a sender dies become unknown and are not resent; the rest are sent', async () => {
  await addMembers(database, 30)
  const server = await serve()
  const deps = sendingDeps(database, smtpNewsletterMailer(server.url))
  const mailing = await addMailing(database)
  await prepareMailing(deps, mailing)
  await database.db.execute(sql`update deliveries set status = 'sending', sender_id = ${randomUUID()}::uuid, attempts = 1
    where id in (select id from deliveries order by id limit 7)`)
  await send(deps)
  await sent(mailing)
  expect(await sums(database, mailing)).toEqual(alike({ submitted: 23, 'unknown sender_lost': 7 }))
  expect(server.heard).toHaveLength(23)
})

test('A shutdown finishes what is in progress and leaves the rest, and the next process continues', async () => {
  await addMembers(database, 120)
  const server = await serve({ answerMs: 20 })
  const mailing = await addMailing(database)
  for (const enough of [10, 50]) {
    const deps = sendingDeps(database, smtpNewsletterMailer(server.url))
    const sender = await startSender(deps, { idleMs: 20 })
    await until(() => server.received.length >= enough)
    await sender.stop(60_000)
    await deps.newsletterMailer.close()
    const { rows } = await sums(database, mailing)
    expect(rows).toEqual({ submitted: server.received.length, pending: 120 - server.received.length })
  }
  await send(sendingDeps(database, smtpNewsletterMailer(server.url)))
  await sent(mailing)
  expect(await sums(database, mailing)).toEqual(alike({ submitted: 120 }))
  expect(new Set(server.heard.map(({ to }) => to)).size).toBe(120)
  expect(server.heard).toHaveLength(120)
})

test('A shutdown doesn’t wait for an unresponsive mail server: emails it fully received are unknown', async () => {
  await addMembers(database, 40)
  const server = await serve({ behave: () => 'stall after data' })
  const deps = sendingDeps(database, smtpNewsletterMailer(server.url, { timeoutMs: 600_000 }))
  const mailing = await addMailing(database)
  const sender = await startSender(deps, { idleMs: 20 })
  await until(() => server.heard.length === 5)
  await sender.stop(50)
  // On a slow machine their results are recorded after the stop.
  await expect
    .poll(() => sums(database, mailing), { timeout: 30_000 })
    .toEqual(alike({ 'unknown no_answer': 5, pending: 35 }))
})

/** A database whose transactions fail now and then, before they begin or after they commit. */
function unreliable(base: Database): Database {
  let turn = 0
  const transaction = async (work: Parameters<Database['db']['transaction']>[0]) => {
    turn += 1
    if (turn % 5 === 1) throw new Error('connection lost')
    const result = await base.db.transaction(work)
    if (turn % 3 === 0) throw new Error('connection lost after the commit')
    return result
  }
  return { ...base, db: Object.create(base.db, { transaction: { value: transaction } }) }
}

test('A database outage, with or without the last commit, loses no one and sends no duplicates', async () => {
  await addMembers(database, 150)
  const server = await serve()
  const mailing = await addMailing(database)
  await send(sendingDeps(unreliable(database), smtpNewsletterMailer(server.url)), { idleMs: 5 })
  await sent(mailing)
  expect(await sums(database, mailing)).toEqual(alike({ submitted: 150 }))
  expect(server.heard).toHaveLength(150)
  const [tries] = await queryRows(database, sql`select min(attempts)::int, max(attempts)::int from deliveries`)
  expect(tries).toEqual({ min: 1, max: 1 })
})
