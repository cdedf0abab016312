import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { suppressions } from '#server/db/schema/index.ts'
import { startSender } from '#server/features/publishing/mailings/sending/start-sender.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/open-test-database.ts'
import { startSmtpServer } from '#tests/support/smtp-server.ts'
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

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

test('An address that the mail server doesn’t know is suppressed; one that refused an email isn’t', async () => {
  await addIssue(database)
  await addIssue(database, 'issue-2', '2026-10-12')
  await addMembers(database, 6, { domains: 1 })
  const server = await startSmtpServer({
    behave: (to) => {
      if (to.startsWith('r1@')) return { refuse: 550, saying: '5.1.1 No such user here' }
      if (to.startsWith('r2@')) return { refuse: 554, saying: '5.7.1 Message content rejected' }
      if (to.startsWith('r3@')) return { refuse: 550, saying: '5.1.1 Your IP address is blacklisted' }
      if (to.startsWith('r4@')) return { refuse: 550, saying: '5.4.1 Recipient address rejected: Access denied' }
      return 'accept'
    },
  })
  closers.push(() => server.close())
  const deps = sendingDeps(database, smtpNewsletterMailer(server.url))
  const sender = await startSender(deps, { idleMs: 20 })
  closers.push(async () => {
    await sender.stop(1_000)
    await deps.newsletterMailer.close()
  })
  const first = await addMailing(database)
  await until(async () => (await statusOf(database, first)) === 'sent')
  expect((await sums(database, first)).rows).toEqual({ submitted: 2, 'failed refused': 4 })
  await until(async () => (await database.db.select().from(suppressions)).length > 1)
  expect(await database.db.select().from(suppressions).orderBy(suppressions.email)).toMatchObject([
    { email: 'r1@d0.test', stream: 'all', reason: 'hard_bounce', mailingId: first },
    { email: 'r4@d0.test', stream: 'all', reason: 'hard_bounce', mailingId: first },
  ])

  const second = await addMailing(database, { issueId: 'issue-2' })
  await until(async () => (await statusOf(database, second)) === 'sent')
  expect((await sums(database, second)).rows).toEqual({ submitted: 2, 'failed refused': 2, 'suppressed bounced': 2 })
})
