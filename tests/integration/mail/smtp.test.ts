import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSmtpMailer } from '#server/mail/smtp.ts'

const received: ParsedMail[] = []
let refuseNext = false
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onRcptTo(_address, _session, done) {
    const refuse = refuseNext
    refuseNext = false
    done(refuse ? Object.assign(new Error('mailbox unavailable'), { responseCode: 550 }) : null)
  },
  onData(stream, _session, done) {
    simpleParser(stream).then((mail) => {
      received.push(mail)
      done()
    }, done)
  },
})
let url = ''

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  url = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`
})
afterAll(() => new Promise<void>((resolve) => server.close(resolve)))

const mail = {
  to: 'reader@example.test',
  subject: 'Drei Dinge für heute — und ein €',
  text: 'The plain part.',
  html: '<p>The <b>rich</b> part.</p>',
  headers: { 'X-Kind': 'account' },
}

test('a message arrives over SMTP with both parts, its sender and its own headers', async () => {
  const mailer = createSmtpMailer({ url, from: 'letters@example.test', senderName: 'Front Counter' })
  await mailer.send(mail)
  await mailer.close()
  const [arrived] = received
  expect(arrived?.from?.text).toBe('"Front Counter" <letters@example.test>')
  expect(arrived?.subject).toBe(mail.subject)
  expect(arrived?.text?.trim()).toBe(mail.text)
  expect(arrived?.html).toContain('<b>rich</b>')
  expect(arrived?.headers.get('x-kind')).toBe('account')
})

test('a refusal by the mail server is an error for the job, not a mail thought sent', async () => {
  const mailer = createSmtpMailer({ url, from: 'letters@example.test', senderName: 'Front Counter' })
  refuseNext = true
  await expect(mailer.send(mail)).rejects.toThrow('mailbox unavailable')
  await mailer.close()
})
