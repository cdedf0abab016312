import type { MailTransport } from './newsletter-mailer.ts'
import type { Outbox } from './outbox.ts'

/** Sandbox transport: parses the message as an email client would and adds it to the outbox. */
export function createOutboxTransport(outbox: Outbox): MailTransport {
  return {
    slots: 4,
    async send({ to, message }) {
      const { default: PostalMime } = await import('postal-mime')
      const email = await PostalMime.parse(message)
      const shown = email.headers.filter(({ key }) => !hiddenHeaders.has(key))
      await outbox.send({
        to,
        subject: email.subject ?? '',
        text: email.text ?? '',
        html: email.html ?? '',
        headers: Object.fromEntries(shown.map(({ originalKey, value }) => [originalKey, value])),
      })
      return { kind: 'accepted', response: '250 Kept in the outbox' }
    },
    ready: async () => {},
    transportError: () => null,
    close: async () => {},
  }
}

/** Headers shown elsewhere on the page, or irrelevant after parsing. */
const hiddenHeaders = new Set([
  'to',
  'subject',
  'content-type',
  'content-transfer-encoding',
  'mime-version',
  'dkim-signature',
])
