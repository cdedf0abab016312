import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import hoodiecrow from 'hoodiecrow-imap'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Config } from '#server/config/config.ts'
import { deliveries, emailEvents, suppressions } from '#server/db/schema/index.ts'
import { readBounces } from '#server/features/publishing/deliverability/feature.ts'
import { maxEmailsPerRun } from '#server/features/publishing/deliverability/mailbox/imap.ts'
import { parseReportEmail } from '#server/features/publishing/deliverability/mailbox/parse-report-email.ts'
import { returnPathOf } from '#server/mail/newsletter-mailer.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'
import { type Delivered, deliver } from '../email-preferences/support.ts'
import { complaint, exchange, inWords, outOfOffice, postfix } from './report-emails.ts'

let server: TestApp
let user: TestUser
let message: Delivered

beforeAll(async () => {
  server = await createTestApp()
})
beforeEach(async () => {
  await server.database.truncate()
  user = await buildUser(server, { email: 'mia@example.test' })
  message = await deliver(server, user)
})
afterAll(() => server.close())

const about = () => ({ messageId: `<${message.links.messageName(message.to)}@frontcounter.test>` })
const unmarked = { messageId: '<a-guess@frontcounter.test>' }
const verp = () => returnPathOf('bounces@frontcounter.test', about().messageId) ?? ''
const read = (raw: Buffer) => parseReportEmail(server.deps, raw, server.clock.now)
const reasons = async () =>
  (await server.database.db.select().from(suppressions)).map(
    ({ email, stream, reason }) => `${email} ${stream} ${reason}`,
  )

describe('a report email', () => {
  test.each([
    [
      'Postfix',
      postfix,
      '550 5.1.1 <mia@example.test>: Recipient address rejected: User unknown in virtual mailbox table',
    ],
    ['Microsoft', exchange, '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup'],
  ])('%s: the address is suppressed, with the server’s response', async (_, write, detail) => {
    expect(await read(write(about()))).toMatchObject([
      { source: 'dsn', type: 'hard_bounce', deliveryId: message.deliveryId, detail },
    ])
  })

  test.each([
    ['5.2.2', '552 5.2.2 Over quota', 'soft_bounce'],
    ['5.7.1', '554 5.7.1 Message rejected due to content', 'blocked'],
    ['4.4.1', 'connect to mx.example.test: Connection timed out', 'soft_bounce'],
    ['5.4.4', 'Host not found', 'soft_bounce'],
    ['5.2.1', '550 5.2.1 The email account is disabled', 'hard_bounce'],
    ['5.0.0', '550 Requested action not taken: mailbox unavailable', 'hard_bounce'],
    ['5.0.0', '550 We do not like your address', 'soft_bounce'],
  ])('A failure %s with “%s” is a %s', async (code, diagnosis, type) => {
    expect(await read(postfix(about(), { code, diagnosis }))).toMatchObject([{ type }])
  })

  test('of nothing but tags is read as fast as any other', { timeout: 20_000 }, async () => {
    const headers = ['From: Postmaster <postmaster@mail.example.test>', 'Content-Type: text/html', '', '']
    expect(await read(Buffer.from(headers.join('\r\n') + '<'.repeat(400_000)))).toMatchObject([{ deliveryId: null }])
  })

  test.each([
    ['office365-5.1.351.eml', 'dsn', 'hard_bounce'],
    ['dragonfly.eml', 'dsn', 'hard_bounce'],
    ['ip-blacklisted-5.1.1.eml', 'dsn', 'blocked'],
    ['sender-rejected-5.1.0.eml', 'dsn', 'blocked'],
    ['hotmail-jmrp.eml', 'arf', 'complaint'],
    ['exim-unknown-local.eml', 'dsn', 'hard_bounce'],
    ['exim-no-host.eml', 'dsn', 'hard_bounce'],
    ['opensmtpd-too-big.eml', 'dsn', 'blocked'],
    ['opensmtpd-expired.eml', 'dsn', 'soft_bounce'],
    ['postfix-expired-refused.eml', 'dsn', 'soft_bounce'],
    ['nullmailer-expired.eml', 'dsn', 'soft_bounce'],
  ])('%s is read from %s as %s', async (file, source, type) => {
    const path = new URL(`report-emails/${file}`, import.meta.url)
    const raw = (await readFile(path, 'utf8'))
      .replaceAll('<TOKEN@news.example.net>', about().messageId)
      .replaceAll('bounces+TOKEN@news.example.net', verp())
    expect(await read(Buffer.from(raw.replaceAll('\n', '\r\n')))).toMatchObject([
      { source, type, deliveryId: message.deliveryId },
    ])
  })

  test('has the reason that Exim writes only below the address', async () => {
    const raw = await readFile(new URL('report-emails/exim-no-host.eml', import.meta.url))
    expect(await read(raw)).toMatchObject([{ detail: 'Unrouteable address' }])
  })

  test.each(['displayed', 'deleted'])(
    'A receipt counts only if a filter refused the email: %s',
    async (disposition) => {
      const raw = postfix(about()).toString().replaceAll('message/delivery-status', 'message/disposition-notification')
      const receipt = raw.replace(
        /^Action: .*$/m,
        `Disposition: automatic-action/MDN-sent-automatically; ${disposition}`,
      )
      expect(await read(Buffer.from(receipt))).toHaveLength(disposition === 'deleted' ? 1 : 0)
    },
  )

  test('A warning with a time until which the server tries is not a bounce, whatever its code', async () => {
    const delayed = postfix(about(), {
      action: 'delayed\nWill-Retry-Until: Sat, 7 Mar 2026 10:00:00 +0000',
      code: '4.4.7',
    })
    expect(await read(delayed)).toEqual([])
  })

  test.each(['delayed', 'relayed', 'delivered', 'delivered (to mailbox)', 'expanded'])(
    'A notice that an email is %s is not a bounce',
    async (action) => {
      expect(await read(postfix(about(), { action, code: '4.0.0' }))).toEqual([])
    },
  )

  test('A plain-text bounce is soft; a reply by a person is ignored', async () => {
    expect(await read(inWords(about()))).toMatchObject([
      { type: 'soft_bounce', deliveryId: message.deliveryId, detail: "Sorry, I couldn't find any host by that name." },
    ])
    expect(await read(outOfOffice(about()))).toEqual([])
  })

  test('A complaint is matched by the email it contains', async () => {
    expect(await read(complaint(about()))).toMatchObject([
      { source: 'arf', type: 'complaint', deliveryId: message.deliveryId, email: null, detail: 'abuse' },
    ])
    expect(await read(complaint(about(), 'not-spam'))).toEqual([])
  })

  test('A report is matched by its recipient address, also in uppercase', async () => {
    for (const to of [verp(), verp().toUpperCase()]) {
      expect(await read(postfix({ ...unmarked, to }))).toMatchObject([{ deliveryId: message.deliveryId }])
    }
  })

  test('Other and malformed emails are ignored', async () => {
    for (const raw of ['', '\0', 'Subject: hi\r\n\r\nhello', 'Content-Type: multipart/report\r\n\r\n--'])
      expect(await read(Buffer.from(raw))).toEqual([])
  })
})

const withMailbox = (mailbox: Config['bounceReports']['mailbox']) => ({
  ...server.deps,
  config: { ...server.deps.config, bounceReports: { ...server.deps.config.bounceReports, mailbox } },
})

async function openMaildir() {
  const directory = await mkdtemp(join(tmpdir(), 'bounces-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const deps = withMailbox({ kind: 'maildir', directory })
  await readBounces(deps)
  const put = (name: string, raw: Buffer) => writeFile(join(directory, 'new', name), raw)
  return { directory, put, poll: () => readBounces(deps) }
}

describe('a maildir', () => {
  test('is read once per email, and each email is moved to cur', async () => {
    const { directory, put, poll } = await openMaildir()
    await put('1.mx', postfix(about()))
    await put('2.mx', complaint(about()))
    await put('3.mx', Buffer.from('Subject: hello\r\n\r\nNo report.'))
    await poll()
    await put('4.mx', postfix(about()))
    await poll()
    expect(await readdir(join(directory, 'new'))).toEqual([])
    expect((await readdir(join(directory, 'cur'))).sort()).toEqual(['1.mx:2,S', '2.mx:2,S', '3.mx:2,S', '4.mx:2,S'])
    expect(await server.database.db.select().from(emailEvents)).toHaveLength(2)
    expect((await reasons()).sort()).toEqual(['mia@example.test all hard_bounce', 'mia@example.test drops complaint'])
    expect((await server.database.db.select().from(deliveries))[0]).toMatchObject({ bounceType: 'hard' })
  })

  test('with forged reports suppresses no one', async () => {
    const { put, poll } = await openMaildir()
    const mark = message.links.messageName(message.to)
    const wrong = mark.slice(0, -1) + (mark.endsWith('0') ? '1' : '0')
    await put('1', postfix(unmarked))
    await put('2', postfix({ messageId: `<${wrong}@frontcounter.test>`, to: `bounces+${wrong}@frontcounter.test` }))
    await put('3', complaint(unmarked))
    await put('4', inWords({ messageId: `<${message.deliveryId}@frontcounter.test>` }))
    await poll()
    expect(await reasons()).toEqual([])
    expect(await server.database.db.select().from(emailEvents)).toEqual([])
  })

  test('with a report that names another reader suppresses only the recipient of the email', async () => {
    const { put, poll } = await openMaildir()
    await buildUser(server, { email: 'victim@example.test' })
    await put('1', postfix(about(), { finalRecipient: 'victim@example.test' }))
    await poll()
    expect(await reasons()).toEqual(['mia@example.test all hard_bounce'])
  })
})

test('Emails that the server doesn’t mark as seen are handled once and don’t hide newer ones, and its words are reported', async () => {
  const hello = () => ({ raw: 'Subject: hello\r\n\r\nNo report.' })
  const messages = [...Array.from({ length: maxEmailsPerRun }, hello), { raw: postfix(about()).toString('latin1') }]
  const imap = hoodiecrow({ plugins: ['UIDPLUS'], storage: { INBOX: { messages } } })
  imap.setCommandHandler('UID STORE', (connection, { tag }, _data, done) => {
    connection.send({ tag, command: 'NO', attributes: [{ type: 'TEXT', value: 'Flags are frozen' }] }, 'REFUSED')
    done()
  })
  await new Promise<void>((resolve) => imap.listen(0, resolve))
  onTestFinished(() => new Promise<void>((resolve) => imap.close(resolve)))
  const { port } = imap.server.address() as AddressInfo
  const deps = withMailbox({ kind: 'imap', url: `imap://testuser:testpass@127.0.0.1:${port}/INBOX` })
  await expect(readBounces(deps)).rejects.toThrow('Flags are frozen')
  expect(await reasons()).toEqual([])
  await expect(readBounces(deps)).rejects.toThrow('Flags are frozen')
  expect(await reasons()).toEqual(['mia@example.test all hard_bounce'])
  await readBounces(deps)
})

test('Unseen emails of an IMAP mailbox are read once and marked as seen', async () => {
  const imap = hoodiecrow({
    plugins: ['UNSELECT', 'IDLE', 'UIDPLUS'],
    storage: {
      INBOX: {
        messages: [
          { raw: postfix(about()).toString('latin1') },
          { raw: complaint(about()).toString('latin1'), flags: ['\\Seen'] },
        ],
      },
    },
  })
  await new Promise<void>((resolve) => imap.listen(0, resolve))
  onTestFinished(() => new Promise<void>((resolve) => imap.close(resolve)))
  const { port } = imap.server.address() as AddressInfo
  const deps = withMailbox({ kind: 'imap', url: `imap://testuser:testpass@127.0.0.1:${port}/INBOX` })
  await readBounces(deps)
  await readBounces(deps)
  expect(await reasons()).toEqual(['mia@example.test all hard_bounce'])
  expect(imap.getMailbox('INBOX').messages.map(({ flags }) => flags)).toEqual([['\\Seen'], ['\\Seen']])
  const refused = withMailbox({ kind: 'imap', url: `imap://testuser:wrong@127.0.0.1:${port}/INBOX` })
  await expect(readBounces(refused)).rejects.toThrow()
})
