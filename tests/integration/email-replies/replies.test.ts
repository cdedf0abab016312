import { eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { deliveries, emailReplies, issues, mailings, replyMailbox, users } from '#server/db/schema/index.ts'
import { emailRepliesFeature } from '#server/features/publishing/email-replies/feature.ts'
import { readReplies } from '#server/features/publishing/email-replies/read-replies.ts'
import { listAnswers } from '#server/features/reader/feedback/list-answers.ts'
import type { AdminAnswer, AdminDropFeedback, ReplyMailbox } from '#shared/contracts/reader/feedback.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { dyingAfter } from '#tests/support/dying-database.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { outOfOffice, postfix } from '../deliverability/report-emails.ts'
import { type Delivered, deliver } from '../email-preferences/support.ts'
import { addIssue } from '../mailings/sending/support.ts'
import { openMailbox } from './open-mailbox.ts'

const server = openForTests(() => createTestApp())
const subject = 'Three replies that win back a guest'
let mia: TestUser
let sent: Delivered

beforeEach(async () => {
  await server.database.truncate()
  server.clock.now = new Date()
  mia = await buildUser(server, { email: 'mia@example.test', data: { full_name: 'Mia Low' } })
  sent = await deliver(server, mia)
  await addIssue(server.database)
  await server.database.db.update(deliveries).set({ issueId: 'issue-1' })
})

const messageIdOf = ({ links, to }: Delivered) => `<${links.messageName(to)}@frontcounter.test>`

type Reply = Partial<Record<'from' | 'subject' | 'inReplyTo' | 'id' | 'headers' | 'body', string>>
let written = 0
function reply({ from, subject: of, inReplyTo, id, headers, body }: Reply = {}) {
  written += 1
  return [
    `From: ${from ?? 'Mia Low <Mia@Example.test>'}`,
    'To: Front Counter <editor@frontcounter.test>',
    `Subject: ${of ?? `Re: ${subject}`}`,
    `Message-ID: ${id ?? `<reply-${written}@mail.example.test>`}`,
    `In-Reply-To: ${inReplyTo ?? messageIdOf(sent)}`,
    ...(headers ? [headers] : []),
    '',
    body ?? 'We count twice.\r\n\r\nOn Mon, Nov 2, 2026, Front Counter wrote:\r\n> Do you count twice?\r\n',
  ].join('\r\n')
}

async function openReplies(...raws: (string | Buffer)[]) {
  const mailbox = await openMailbox(...raws)
  const deps = { ...server.deps, config: { ...server.deps.config, repliesMailbox: mailbox.address } }
  return { ...mailbox, deps, read: () => readReplies(deps) }
}
const stored = () => server.database.db.select().from(emailReplies).orderBy(emailReplies.at, emailReplies.id)
const texts = async () => (await stored()).map(({ text }) => text)
const counts = async () => {
  const [row] = await server.database.db.select().from(replyMailbox)
  return row && { automatic: row.automatic, others: row.others }
}

describe('A reply by email', () => {
  test('is recorded once with its member and drop, and the mailbox stays as it was', async () => {
    const { imap, read, put } = await openReplies(reply(), reply({ from: 'A stranger <who@example.test>' }))
    await read()
    await read()
    expect(await stored()).toMatchObject([
      { userId: mia.id, issueId: 'issue-1', mailingId: sent.mailingId, text: 'We count twice.', hasToken: true },
    ])
    put(reply({ body: 'One more thing.' }))
    await read()
    expect((await texts()).sort()).toEqual(['One more thing.', 'We count twice.'])
    expect(await counts()).toEqual({ automatic: 0, others: 1 })
    expect(imap.getMailbox('INBOX').messages.map(({ flags }) => flags)).toEqual([[], [], []])
  })

  test('whose subject can’t be stored or has no end doesn’t keep later ones from being read', async () => {
    const spaces = Array.from({ length: 400 }, () => ` ${' '.repeat(900)}`).join('\r\n')
    const { read } = await openReplies(
      reply({ subject: '=?utf-8?q?Re:_a=00b?=', inReplyTo: '<unknown@mail.example.test>' }),
      reply({ subject: `Re${spaces}\r\n x`, inReplyTo: '<unknown@mail.example.test>' }),
      reply(),
    )
    await read()
    expect(await texts()).toEqual(['We count twice.'])
    expect(await counts()).toEqual({ automatic: 0, others: 2 })
  })

  test('that someone read in their mail program before is recorded, too', async () => {
    const { imap, read } = await openReplies(reply())
    imap.getMailbox('INBOX').messages[0]?.flags.push('\\Seen')
    await read()
    expect(await texts()).toEqual(['We count twice.'])
  })

  test('is found by member and subject if the provider replaced the Message-ID, and isn’t verified', async () => {
    const others = { inReplyTo: '<0100-abc@email.amazonses.com>' }
    const { read } = await openReplies(reply(others), reply({ ...others, subject: 'AW: Re: Something else' }))
    await read()
    expect(await stored()).toMatchObject([{ userId: mia.id, issueId: 'issue-1', hasToken: false }])
    expect(await counts()).toEqual({ automatic: 0, others: 1 })
  })

  test('is found by the second subject of a test', async () => {
    await server.database.db.update(mailings).set({ content: { otherSubjects: ['Win them back'] } })
    const { read } = await openReplies(reply({ inReplyTo: '<x@y.test>', subject: 'RE: Win them back' }))
    await read()
    expect(await texts()).toHaveLength(1)
  })

  test('of another member to an email that was forwarded is theirs, and isn’t verified', async () => {
    const zoe = await buildUser(server, { email: 'zoe@example.test' })
    const { read } = await openReplies(reply({ from: 'zoe@example.test' }))
    await read()
    expect(await stored()).toMatchObject([{ userId: zoe.id, issueId: 'issue-1', hasToken: false }])
  })

  test('from the address that a member had when they got the email is theirs', async () => {
    await server.database.db.update(users).set({ email: 'new@example.test' }).where(eq(users.id, mia.id))
    const { read } = await openReplies(reply(), reply({ from: 'mia+news@example.test' }))
    await read()
    expect((await stored()).map(({ userId, hasToken }) => [userId, hasToken])).toEqual(Array(2).fill([mia.id, true]))
  })

  test('with a forged token, of an unconfirmed account, or of no one is left alone', async () => {
    await buildUser(server, { email: 'new@example.test', confirmed: false })
    const wrong = messageIdOf(sent).replace(/[0-9a-f](?=@)/, (digit) => (digit === '0' ? '1' : '0'))
    const { read } = await openReplies(
      reply({ inReplyTo: wrong, subject: 'Hello' }),
      reply({ from: 'new@example.test' }),
      reply({ from: '' }),
      'Subject: no headers',
      '',
    )
    await read()
    expect(await stored()).toEqual([])
  })

  test.each([
    ['Auto-Submitted: auto-replied', undefined],
    ['Precedence: auto_reply', undefined],
    ['Auto-Submitted: auto-generated; owner-email="x@y.test"', undefined],
    ['Precedence: bulk', undefined],
    ['X-Autoreply: yes', undefined],
    ['X-Autoreply: true', undefined],
    ['X-Autorespond: away', undefined],
    ['Content-Type: multipart/report; report-type=delivery-status', undefined],
    ['List-Id: <list.example.test>', undefined],
    ['Return-Path: <>', undefined],
    ['X-Nothing: 1', 'Automatic reply: away until Monday'],
    ['X-Nothing: 1', 'Out of office'],
  ])('of a machine is counted and left alone: %s, %s', async (headers, automatic) => {
    const { read } = await openReplies(reply({ headers, subject: automatic }))
    await read()
    expect(await stored()).toEqual([])
    expect(await counts()).toEqual({ automatic: 1, others: 0 })
  })

  test.each(['Auto-Submitted: no', 'Auto-Submitted: No; by=hand', 'X-Autoreply: no', 'Precedence: normal'])(
    'that says that a person wrote it is recorded: %s',
    async (headers) => {
      const { read } = await openReplies(reply({ headers }))
      await read()
      expect(await texts()).toEqual(['We count twice.'])
    },
  )

  test('of a mail server with our token is no reply', async () => {
    const { read } = await openReplies(reply({ from: 'Mail Delivery <MAILER-DAEMON@example.test>' }))
    await read()
    expect(await counts()).toEqual({ automatic: 1, others: 0 })
  })

  test('is no bounce and no out-of-office reply', async () => {
    const about = { messageId: messageIdOf(sent) }
    const { read } = await openReplies(postfix(about), outOfOffice(about))
    await read()
    expect(await stored()).toEqual([])
  })

  test('in HTML becomes text, and attachments are named', async () => {
    const part = (type: string, body: string, more = '') => `--b\r\nContent-Type: ${type}\r\n${more}\r\n${body}\r\n`
    const { read } = await openReplies(
      reply({
        headers: 'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b',
        body: [
          part('text/html; charset=utf-8', '<p>Yes &amp; no.<br>Twice.</p><blockquote>Quoted</blockquote>'),
          part('image/jpeg', 'AAAA', 'Content-Disposition: attachment; filename="till.jpg"\r\n'),
          part('image/png', 'AAAA', 'Content-Disposition: inline; filename="logo.png"\r\n'),
          '--b--',
        ].join(''),
      }),
    )
    await read()
    expect(await stored()).toMatchObject([{ text: 'Yes & no.\nTwice.', attachments: ['till.jpg'], isShortened: false }])
  })

  test('that is long is shortened, and one that is larger than we read is still recorded', async () => {
    const { read } = await openReplies(reply({ body: 'word '.repeat(300_000) }))
    await read()
    const [row] = await stored()
    expect(row?.text.length).toBeLessThanOrEqual(4_000)
    expect(row?.isShortened).toBe(true)
  })
})

describe('The mailbox', () => {
  test('is read from the last seven days on at first, and again when its numbers begin anew', async () => {
    const { imap, read, put } = await openReplies(reply({ id: '<old@example.test>', body: 'Old.' }))
    for (const message of imap.getMailbox('INBOX').messages) message.internaldate = '14-Sep-2019 21:22:28 +0000'
    await read()
    expect(await texts()).toEqual([])
    put(reply({ body: 'New.' }))
    await read()
    expect(await texts()).toEqual(['New.'])
    await server.database.db.update(replyMailbox).set({ uidValidity: '0', lastUid: 99 })
    put(reply({ body: 'Newer.' }))
    await read()
    expect((await texts()).sort()).toEqual(['New.', 'Newer.'])
  })

  test('is read without UIDNEXT, and in the words of the server if it refuses', async () => {
    const { imap, read } = await openReplies(reply())
    imap.server.on('connection', (socket: { write(data: string | Buffer, ...rest: never[]): boolean }) => {
      const write = socket.write.bind(socket)
      socket.write = (data, ...rest) => write(String(data).replace(/^.*UIDNEXT.*\r\n/m, ''), ...rest)
    })
    await read()
    expect(await texts()).toEqual(['We count twice.'])
    imap.setCommandHandler('UID SEARCH', (connection, { tag }, _data, done) => {
      connection.send({ tag, command: 'NO', attributes: [{ type: 'TEXT', value: 'Too busy' }] }, 'REFUSED')
      done()
    })
    await expect(read()).rejects.toThrow('Too busy')
    imap.setCommandHandler('UID SEARCH', ({ socket }) => socket.end('* BYE Not the owner of the mailbox\r\n'))
    await expect(read()).rejects.toThrow('Not the owner of the mailbox')
  })

  test('has no away messages that answer nothing, although their subject begins with Re', async () => {
    const { read } = await openReplies(reply().replace(/^In-Reply-To: .*\r\n/m, ''))
    await read()
    expect(await stored()).toEqual([])
  })

  test('loses and repeats nothing when processes are killed and two nodes read it', async () => {
    const { deps, read } = await openReplies(...Array.from({ length: 4 }, (_, n) => reply({ body: `Reply ${n}` })), '')
    for (let moments = 0; moments < 24; moments += 1) {
      const dying = dyingAfter(server.database.db, moments)
      await readReplies({ ...deps, database: { ...deps.database, db: dying.db } }).catch(() => null)
    }
    await Promise.all([read(), read()])
    expect((await texts()).sort()).toEqual(['Reply 0', 'Reply 1', 'Reply 2', 'Reply 3'])
    expect(await counts()).toEqual({ automatic: 0, others: 1 })
  })

  test('has each email once, even if it is delivered twice', async () => {
    const { read } = await openReplies(reply({ id: '<same@example.test>' }), reply({ id: '<same@example.test>' }))
    await read()
    expect(await texts()).toHaveLength(1)
  })

  test('isn’t read without an address, while a restored copy is on hold, or with a wrong password', async () => {
    const { deps, read } = await openReplies(reply())
    await readReplies({ ...deps, config: { ...deps.config, repliesMailbox: null } })
    const wrong = deps.config.repliesMailbox.replace('testpass', 'wrong')
    await expect(readReplies({ ...deps, config: { ...deps.config, repliesMailbox: wrong } })).rejects.toThrow()
    expect(emailRepliesFeature.jobs?.(server.deps).schedules).toEqual([])
    expect(emailRepliesFeature.jobs?.(deps).schedules).toHaveLength(1)
    expect(await stored()).toEqual([])
    await read()
    expect(await texts()).toHaveLength(1)
  })
})

describe('The publisher', () => {
  type Answers = { items: AdminAnswer[]; nextCursor: string | null; mailbox: ReplyMailbox | null }
  const list = async (who: TestUser, page = {}) =>
    (await call(server, 'admin-answers', page, who.token)).body as unknown as Answers

  test('reads replies beside answers with the member, and editors don’t see them', async () => {
    const { db } = server.database
    const owner = await buildUser(server, { admin: true })
    const editor = await buildUser(server, { role: 'editor' })
    const { deps, read } = await openReplies(reply(), reply({ from: 'who@example.test' }))
    await read()
    await db.execute(sql`insert into question_answers (id, issue_id, user_id, question, text, at)
      values (gen_random_uuid(), 'issue-1', ${mia.id}::uuid, 'Twice?', 'Yes', now() - interval '1 day'),
        (gen_random_uuid(), 'issue-1', ${mia.id}::uuid, 'Twice?', 'Always', now() + interval '1 day')`)
    const { items, mailbox } = await list(owner)
    expect(items.map(({ text }) => text)).toEqual(['Always', 'We count twice.', 'Yes'])
    expect(items[1]).toMatchObject({
      reply: { subject, isVerified: true, isShortened: false, attachments: [] },
      drop: { id: 'issue-1', title: 'The drop issue-1' },
      member: { id: mia.id, name: 'Mia Low' },
    })
    // The server that answers has no mailbox set.
    expect(mailbox).toBeNull()
    const mailboxFor = async (staffRole: 'owner' | 'editor') => (await listAnswers(deps, { staffRole }, {})).mailbox
    expect(await mailboxFor('owner')).toEqual({ readAt: expect.any(String), automatic: 0, others: 1 })
    expect(await mailboxFor('editor')).toBeNull()
    const paged: string[] = []
    for (let cursor: string | null = null, at = 0; at < 3; at += 1) {
      const page: Answers = await list(owner, { cursor, limit: 1 })
      paged.push(...page.items.map(({ text }) => text))
      cursor = page.nextCursor
    }
    expect(paged).toEqual(['Always', 'We count twice.', 'Yes'])
    expect((await list(editor)).items.map(({ text }) => text)).toEqual(['Always', 'Yes'])
    const report = await call(server, 'admin-drop-feedback', { issueId: 'issue-1' }, owner.token)
    expect(report.body as unknown as AdminDropFeedback).toMatchObject({ answers: 2, replies: 1 })
  })

  test('finds them in the member’s download, and not after the account is deleted', async () => {
    const { read } = await openReplies(reply())
    await read()
    const part = emailRepliesFeature.exportedData?.repliesByEmail
    const exported = await server.database.db.transaction(async (tx) => part?.(tx, mia.id))
    expect(exported).toMatchObject([{ repliesTo: subject, drop: 'issue-1', text: 'We count twice.', attachments: [] }])
    await server.database.db.delete(users).where(eq(users.id, mia.id))
    expect(await stored()).toEqual([])
  })
})

test('A drop that was deleted since leaves its replies readable', async () => {
  const owner = await buildUser(server, { admin: true })
  const { read } = await openReplies(reply())
  await read()
  await server.database.db.delete(issues)
  const { body } = await call(server, 'admin-answers', {}, owner.token)
  expect(body).toMatchObject({ items: [{ drop: null, reply: { subject } }] })
})
