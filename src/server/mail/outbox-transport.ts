import type { Outbox } from './outbox.ts'
import type { MailTransport } from './transport.ts'

/** The sandbox's transport: what would go over the wire is read as a mailbox reads it, and shown under /sandbox/mail. */
export function createOutboxTransport(outbox: Outbox): MailTransport {
  return {
    slots: 4,
    async send({ to, message }) {
      const { default: PostalMime } = await import('postal-mime')
      const mail = await PostalMime.parse(message)
      const shown = mail.headers.filter(({ key }) => !hidden.has(key))
      await outbox.send({
        to,
        subject: mail.subject ?? '',
        text: mail.text ?? '',
        html: mail.html ?? '',
        headers: Object.fromEntries(shown.map(({ originalKey, value }) => [originalKey, value])),
      })
      return { kind: 'accepted', response: '250 Kept in the outbox' }
    },
    ready: async () => {},
    transportError: () => null,
    close: async () => {},
  }
}

/** Told beside the headers, or true of the wire alone. */
const hidden = new Set(['to', 'subject', 'content-type', 'content-transfer-encoding', 'mime-version', 'dkim-signature'])
