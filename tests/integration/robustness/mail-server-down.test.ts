import { sql } from 'drizzle-orm'
import { PgBoss } from 'pg-boss'
import { afterAll, expect, test } from 'vitest'
import { queryRows } from '#server/db/database.ts'
import { accountEmails } from '#server/db/schema/index.ts'
import { startSender } from '#server/features/publishing/mailings/sending/start-sender.ts'
import { createLogger } from '#server/http/logger.ts'
import { createEmailJob, createLoggingEnqueue, emailJob } from '#server/jobs/email-job.ts'
import { openJobSender } from '#server/jobs/jobs.ts'
import { updateAccountEmailStatus } from '#server/mail/account-email-log.ts'
import { createSmtpMailer } from '#server/mail/smtp-mailer.ts'
import { createSmtpTransport } from '#server/mail/smtp-transport.ts'
import { hourMs, minuteMs } from '#shared/domain/durations.ts'
import {
  addIssue,
  addMailing,
  addMembers,
  from,
  sendingDeps,
  smtpNewsletterMailer,
  statusOf,
  sums,
  until,
} from '#tests/integration/mailings/sending/support.ts'
import { openTestDatabase } from '#tests/support/open-test-database.ts'
import { startSmtpServer } from '#tests/support/smtp-server.ts'
import { freePort } from '../../../scripts/postgres.ts'

const database = await openTestDatabase()
afterAll(() => database.close())

/** When the mail server went down. */
const start = new Date('2026-10-06T08:00:00Z').getTime()
const dayMs = 24 * hourMs
let now = new Date(start)
const clock = () => now

test('a newsletter waits while the mail server is down for a day, and then everyone gets it once', async () => {
  await database.truncate()
  now = new Date(start)
  await addIssue(database)
  await addMembers(database, 30)
  const port = await freePort()
  const mailer = smtpNewsletterMailer(`smtp://127.0.0.1:${port}`)
  const sender = await startSender(sendingDeps(database, mailer, clock), { idleMs: 10 })
  const mailing = await addMailing(database)
  await until(() => mailer.transportError() !== null)
  for (let hour = 1; hour <= 24; hour += 1) {
    now = new Date(start + hour * hourMs)
    const failures = mailer.transportError()?.failures ?? 0
    if (hour % 8 === 0) await until(() => (mailer.transportError()?.failures ?? 0) > failures)
  }
  expect(await statusOf(database, mailing)).toBe('sending')
  const server = await startSmtpServer({ port })
  await until(async () => (await statusOf(database, mailing)) === 'sent')
  expect(await sums(database, mailing)).toEqual({ rows: { submitted: 30 }, counts: { submitted: 30 } })
  expect(server.heard).toHaveLength(30)
  expect(new Set(server.heard.map(({ to }) => to)).size).toBe(30)
  await sender.stop(5_000)
  await mailer.close()
  await server.close()
})

test('a newsletter that the mail server defers for a day is tried less and less often, and then everyone gets it once', async () => {
  await database.truncate()
  now = new Date(start)
  await addIssue(database)
  await addMembers(database, 10)
  let deferred = 0
  const server = await startSmtpServer({
    behave: () => {
      if (now.getTime() >= start + dayMs) return 'accept'
      deferred += 1
      return { refuse: 451 }
    },
  })
  const mailer = smtpNewsletterMailer(server.url)
  const sender = await startSender(sendingDeps(database, mailer, clock), { idleMs: 10 })
  const mailing = await addMailing(database)
  const nextTry = async () => {
    const [row] = await queryRows<{ next: string | Date | null }>(
      database.db,
      sql`select min(next_attempt_at) as next from deliveries where status = 'pending'
        having count(*) = 10 and bool_and(next_attempt_at > ${now.toISOString()}::timestamptz)`,
    )
    return row?.next ? new Date(row.next) : null
  }
  let tries = 0
  while (now.getTime() < start + dayMs) {
    await until(async () => (await nextTry()) !== null)
    tries += 1
    now = (await nextTry()) ?? now
  }
  await until(async () => (await statusOf(database, mailing)) === 'sent')
  expect(tries).toBe(7)
  expect(deferred).toBe(70)
  expect(await sums(database, mailing)).toEqual({ rows: { submitted: 10 }, counts: { submitted: 10 } })
  expect(server.received).toHaveLength(10)
  expect(now.getTime() - start).toBeLessThan(1.5 * dayMs)
  await sender.stop(5_000)
  await mailer.close()
  await server.close()
})

test('account emails wait for a day and are sent once; an expired code isn’t sent, a refused email is given up', async () => {
  await database.truncate()
  now = new Date(start)
  const logger = createLogger('silent')
  const port = await freePort()
  const transport = createSmtpTransport({ url: `smtp://127.0.0.1:${port}`, connections: 2, initialBackoffMs: 1 })
  const { run } = createEmailJob({
    mailer: createSmtpMailer({ transport, signer: null, from }),
    quota: { isLeft: async () => true, count: async () => {} },
    clock,
    recordStatus: (id, update) => updateAccountEmailStatus(database.db, id, { ...update, now }),
  })
  const sender = await openJobSender(database, logger, [emailJob])
  const enqueue = createLoggingEnqueue(sender.enqueue, clock)
  const queue = new PgBoss({ ...database.queue, supervise: false, schedule: false })
  await queue.start()
  const send = (to: string, subject: string, expiresAt?: Date) =>
    database.db.transaction((tx) =>
      enqueue(tx, emailJob, { to, subject, text: subject, html: subject, expiresAt: expiresAt?.toISOString() }),
    )
  const signal = new AbortController().signal
  /** Runs what is due and moves the clock to the next try, as the queue sees it. Returns false if nothing is left. */
  const runNext = async () => {
    for (const { id, data, retryCount } of await queue.fetch(emailJob.name, { batchSize: 10, includeMetadata: true })) {
      const claim = {
        signal,
        attempt: retryCount + 1,
        isLast: false,
        isHeld: async () => true,
        complete: async () => {},
      }
      await run(emailJob.payload.parse(data), claim).then(
        () => queue.complete(emailJob.name, id),
        (error: Error) => queue.fail(emailJob.name, id, { message: error.message }),
      )
    }
    const [{ seconds = null } = {}] = await queryRows<{ seconds: number | null }>(
      database.db,
      sql`select extract(epoch from min(start_after) - now())::float8 as seconds from pgboss.job
        where name = ${emailJob.name} and state < 'active'`,
    )
    if (seconds === null) return false
    const pauseMs = Math.max(0, seconds) * 1000
    pauses.push(pauseMs)
    now = new Date(now.getTime() + pauseMs)
    await database.db.execute(sql`update pgboss.job set start_after = start_after - make_interval(secs => ${seconds}::float8 + 0.001)
      where name = ${emailJob.name} and state < 'active'`)
    return true
  }
  const pauses: number[] = []
  await send('member@example.test', 'Your plan has started')
  await send('code@example.test', 'Your sign-in code', new Date(start + hourMs))
  while (now.getTime() < start + dayMs) await runNext()
  await send('gone@example.test', 'Your plan has started')
  const server = await startSmtpServer({
    port,
    behave: (to) => (to === 'gone@example.test' ? { refuse: 550 } : 'accept'),
  })
  await transport.ready()
  const backAt = now.getTime()
  while (await runNext());

  expect(server.received.map(({ to }) => to)).toEqual(['member@example.test'])
  const log = await database.db
    .select({ email: accountEmails.email, status: accountEmails.status, changedAt: accountEmails.changedAt })
    .from(accountEmails)
    .orderBy(accountEmails.email)
  expect(log).toMatchObject([
    { email: 'code@example.test', status: 'skipped' },
    { email: 'gone@example.test', status: 'failed' },
    { email: 'member@example.test', status: 'sent' },
  ])
  expect((log[2]?.changedAt.getTime() ?? 0) - backAt).toBeLessThanOrEqual(15 * minuteMs)
  // Every 15 minutes at least, and not all the time.
  expect(Math.max(...pauses)).toBeLessThanOrEqual(15 * minuteMs + 1_000)
  expect(pauses.length).toBeLessThan(200)
  await queue.stop({ graceful: false })
  await sender.stop()
  await transport.close()
  await server.close()
})
