import { expect, test } from 'vitest'
import { readConfig } from '#server/config/config.ts'
import { createNewsletterMailer, type MailTransport, type Outcome } from '#server/mail/newsletter-mailer.ts'
import type { MailingContent } from '#shared/contracts/publishing/newsletter.ts'
import { unknownReader } from '#shared/domain/reader.ts'
import { sendTest } from './send-test.ts'

const content: MailingContent = {
  kind: 'news',
  subject: 'A new page',
  preheader: '',
  title: 'A new page',
  date: null,
  worth: '',
  intro: 'Hello.',
  sections: [],
  closing: '',
  question: '',
  path: null,
}
const to = { deliveryId: '0', userId: '0', email: 'a@b.test', name: null, reader: unknownReader }

const tried = (send: () => Promise<Outcome>) => {
  const transport: MailTransport = {
    slots: 1,
    send,
    ready: async () => {},
    transportError: () => null,
    close: async () => {},
  }
  const from = { name: 'Front Counter', address: 'newsletter@x.test', replyTo: null, postalAddress: null }
  const newsletterMailer = createNewsletterMailer({ transport, signer: null, from })
  return sendTest(
    { config: readConfig({ NODE_ENV: 'test' }), newsletterMailer, clock: () => new Date() },
    { content, from },
    to,
    20,
  )
}

test('A test email reports an unresponsive mail server sooner than a mailing would', async () => {
  await expect(tried(() => new Promise(() => {}))).rejects.toMatchObject({
    code: 'email_rejected',
    message: 'The mail server hasn’t responded yet. The test email may still arrive.',
  })
})

test('A test email reports the mail server’s error, and nothing if it was accepted', async () => {
  await expect(tried(async () => ({ kind: 'refused', response: '550 No' }))).rejects.toMatchObject({
    message: 'The mail server rejected the email: 550 No',
  })
  await tried(async () => ({ kind: 'accepted', response: '250 OK' }))
})
