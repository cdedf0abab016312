import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import nodemailer from 'nodemailer'
import { readConfig } from '#server/config/config.ts'
import { queryRows } from '#server/db/database.ts'
import { openPglite } from '#server/db/open-pglite.ts'
import { users } from '#server/db/schema/index.ts'
import { readBounces } from '#server/features/publishing/deliverability/feature.ts'
import { readReplies } from '#server/features/publishing/email-replies/read-replies.ts'
import { startSender } from '#server/features/publishing/mailings/sending/start-sender.ts'
import { openMail } from '#server/open-mail.ts'
import { addIssue, addMailing, sendingDeps } from '../integration/mailings/sending/support.ts'
import { until } from './support/api.ts'
import { type MailServer, mailServers, password } from './support/mail-servers.ts'
import type { Checks, RealPart } from './support/part.ts'

const members = ['reader@mail.test', 'nobody@mail.test']

/** A mailing through the server: one reader replies, and one address doesn't exist. Then both mailboxes are read. */
async function tryServer({ ports, title, readMaildir }: MailServer, checks: Checks) {
  const at = (scheme: string, user: string, port: number) =>
    `${scheme}://${user}:${encodeURIComponent(password)}@localhost:${port}`
  const database = await openPglite()
  const config = readConfig({
    NODE_ENV: 'test',
    MAIL_FROM: 'replies@mail.test',
    SMTP_URL: `${at('smtp', 'replies', ports.smtp)}?requireTLS=true`,
    BOUNCE_ADDRESS: 'bounces@mail.test',
    BOUNCE_MAILBOX_URL: `${at('imap', 'bounces', ports.imap)}/INBOX`,
    REPLIES_MAILBOX_URL: `${at('imap', 'replies', ports.imap)}/INBOX`,
  })
  const { newsletterMailer } = await openMail(config, () => new Date())
  const deps = { ...sendingDeps(database, newsletterMailer), config }
  const rows = <Row>(text: string) => queryRows<Row>(database.db, sql.raw(text))
  let received = ''
  const sender = await startSender(deps, { idleMs: 50 })
  try {
    await addIssue(database)
    for (const email of members) {
      const now = new Date()
      const id = randomUUID()
      await database.db.insert(users).values({ id, email, emailConfirmedAt: now, createdAt: now, updatedAt: now })
      await database.db.execute(sql`insert into subscription_state (user_id, status, product_id, current_period_start,
        current_period_end, sync_seq, synced_at) values (${id}, 'active', 'prod_pro_monthly', now(), now() + interval '1 day', 1, now())`)
    }
    await addMailing(database)
    await checks.check(`${title} accepts a mailing over STARTTLS with a password, and delivers it`, async () => {
      await until(
        'Sending',
        async () => (await rows<{ status: string }>('select status from mailings'))[0]?.status === 'sent',
      )
      const found = await rows(`select status, count(*)::int as n from deliveries group by 1`)
      assert.deepEqual(found, [{ status: 'submitted', n: 2 }])
      await until('Delivery', async () => (received = await readMaildir('reader')))
      assert.match(received, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m)
      assert.match(received, /^Return-Path: <bounces\+[\w.-]+@mail\.test>\r?$/im)
    })
    await checks.check(
      `${title}: the report of a failed delivery is read over IMAP and counted as a bounce`,
      async () => {
        const bounces = () => rows<{ email: string; type: string; detail: string }>(`select * from email_events`)
        await until('A report', () => readMaildir('bounces'))
        await until('A bounce', async () => {
          await readBounces(deps)
          return (await bounces()).length
        })
        const [{ email, type, detail } = {}, ...more] = await bounces()
        checks.note(`${type}: ${detail}`)
        assert.deepEqual({ email, more }, { email: 'nobody@mail.test', more: [] })
      },
    )
    await checks.check(`${title}: a reply is read over IMAP`, async () => {
      const id = /^Message-ID: (<[^>]+>)/im.exec(received)?.[1]
      const transport = nodemailer.createTransport(at('smtp', 'reader', ports.smtp))
      await transport.sendMail({
        from: 'reader@mail.test',
        to: 'replies@mail.test',
        subject: 'Re: What to do this week',
        inReplyTo: id,
        text: 'We count twice.\n\nOn Mon, Nov 2, 2026 at 9:00 AM Front Counter <replies@mail.test> wrote:\n> Count.',
      })
      transport.close()
      await until('Its delivery', () => readMaildir('replies'))
      await until('A reply', async () => {
        await readReplies(deps)
        return (await rows('select 1 from email_replies')).length
      })
      assert.deepEqual(await rows('select text, has_token from email_replies'), [
        { text: 'We count twice.', has_token: true },
      ])
      await readReplies(deps)
      assert.equal((await rows('select 1 from email_replies')).length, 1)
    })
  } finally {
    await sender.stop(1_000)
    await newsletterMailer.close()
    await database.close()
  }
  return received
}

export default {
  name: 'mail',
  async install() {},
  async run(checks) {
    for (const start of mailServers) {
      const server = await start()
      try {
        const received = await tryServer(server, checks)
        if (!server.hasSpamAssassin) continue
        await checks.check('SpamAssassin takes the email for a wanted one', async () => {
          const judged = await server.root.run('spamassassin --local --test-mode', received)
          const [, score = '', tests = ''] =
            /^X-Spam-Status: \w+, score=(\S+) [\s\S]*?tests=([\s\S]*?)(?:\s\w+=|\n\S)/m.exec(judged) ?? []
          checks.note(
            `SpamAssassin ${await server.root.version('spamassassin')}: ${score} (${tests.replaceAll(/\s/g, '')})`,
          )
          assert.ok(Number(score || 'NaN') < 1)
        })
      } finally {
        await server.root.close()
      }
    }
  },
} satisfies RealPart
