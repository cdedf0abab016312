import { expect, test } from 'vitest'
import { openPostgres } from '#server/db/open-postgres.ts'
import { startSender } from '#server/features/publishing/mailings/sending/start-sender.ts'
import { startSmtpServer } from '#tests/support/smtp-server.ts'
import { startPostgres, whyNoPostgres } from '../../../../scripts/postgres.ts'
import {
  addIssue,
  addMailing,
  addMembers,
  sendingDeps,
  smtpNewsletterMailer,
  statusOf,
  sums,
  until,
} from './support.ts'

/** Crashes a PostgreSQL of its own. With a given DATABASE_URL its programs may not be installed. */
test.skipIf(!process.env.DATABASE_URL)(
  'A database crash and restart during sending: each member gets one email, and the totals match',
  async ({ skip }) => {
    const missing = whyNoPostgres()
    if (missing && !process.env.CI) skip(missing)
    // Commits must survive the crash: a lost claim would send an email twice.
    const postgres = await startPostgres({ durable: true })
    const database = await openPostgres(postgres.url)
    await addIssue(database)
    await addMembers(database, 900)
    const server = await startSmtpServer({ answerMs: 5 })
    const deps = sendingDeps(database, smtpNewsletterMailer(server.url))
    const sender = await startSender(deps, { idleMs: 20 })
    const mailing = await addMailing(database)
    for (const heard of [50, 300, 600]) {
      await until(() => server.heard.length >= heard)
      await postgres.crash()
    }
    await until(async () => (await statusOf(database, mailing)) === 'sent')
    expect(await sums(database, mailing)).toEqual({ rows: { submitted: 900 }, counts: { submitted: 900 } })
    expect(new Set(server.heard.map(({ to }) => to)).size).toBe(900)
    expect(server.heard).toHaveLength(900)

    await sender.stop(5_000)
    await deps.newsletterMailer.close()
    await server.close()
    await database.close()
    await postgres.stop()
  },
)
