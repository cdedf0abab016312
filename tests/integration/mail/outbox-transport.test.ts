import { expect, test } from 'vitest'
import { createNewsletterMailer } from '#server/mail/newsletter-mailer.ts'
import { createOutbox } from '#server/mail/outbox.ts'
import { createOutboxTransport } from '#server/mail/outbox-transport.ts'

test('A newsletter email in the outbox looks as in an inbox, with the headers that email clients use', async () => {
  const outbox = createOutbox({ from: 'newsletter@example.test', clock: () => new Date('2026-03-01T09:00:00Z') })
  const newsletterMailer = createNewsletterMailer({
    transport: createOutboxTransport(outbox),
    signer: null,
    from: { name: 'Front Counter', address: 'newsletter@example.test' },
  })
  const outcome = await newsletterMailer.send('reader@example.test', {
    messageId: '<an-email@example.test>',
    headers: [
      ['From', 'Front Counter <newsletter@example.test>'],
      ['To', 'reader@example.test'],
      ['Subject', '=?UTF-8?Q?Drei_Dinge_f=C3=BCr_heute?='],
      ['List-Unsubscribe', '<https://letters.example.test/unsubscribe/one-click/1>'],
      ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
      ['Content-Type', 'multipart/alternative; boundary="b"'],
    ],
    body: Buffer.from(
      '--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nPlain\r\n--b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>Rich</p>\r\n--b--\r\n',
    ),
  })
  expect(outcome.kind).toBe('accepted')
  expect(outbox.list()).toEqual([
    {
      to: 'reader@example.test',
      subject: 'Drei Dinge für heute',
      text: expect.stringMatching(/^Plain\s*$/),
      html: expect.stringMatching(/^<p>Rich<\/p>\s*$/),
      headers: {
        From: 'Front Counter <newsletter@example.test>',
        'List-Unsubscribe': '<https://letters.example.test/unsubscribe/one-click/1>',
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
      createdAt: '2026-03-01T09:00:00.000Z',
    },
  ])
})
