import type { DkimSigner, HeaderField } from './dkim.ts'
import { writeMessage } from './mime-message.ts'
import type { MailTransport, Outcome } from './transport.ts'

/** A Message-ID with a delivery token as its local part. */
const tokenMessageId = /^<([0-9a-z]+-[0-9a-f]{32})@/

/**
 * Envelope sender (VERP): the bounce address with the delivery token, so that every bounce identifies its delivery. Null
 * for an email without a token, such as a test email.
 */
export function returnPathOf(bounceAddress: string | null, messageId: string): string | null {
  const [, token] = tokenMessageId.exec(messageId) ?? []
  const [name, domain] = bounceAddress?.split('@') ?? []
  return token && name && domain ? `${name}+${token}@${domain}` : null
}

/** Signs newsletter emails and sends them through the transport. */
export type NewsletterMailer = Pick<MailTransport, 'slots' | 'ready' | 'transportError' | 'close'> & {
  from: { name: string; address: string }
  send(to: string, mail: { messageId: string; headers: readonly HeaderField[]; body: Buffer }): Promise<Outcome>
}

type NewsletterMailerOptions = {
  transport: MailTransport
  signer: DkimSigner | null
  from: NewsletterMailer['from']
  /** Envelope sender for bounces. Default: the sender address. */
  bounceAddress?: string | null
}

export function createNewsletterMailer({
  transport,
  signer,
  from,
  bounceAddress = null,
}: NewsletterMailerOptions): NewsletterMailer {
  return {
    from,
    slots: transport.slots,
    ready: () => transport.ready(),
    transportError: () => transport.transportError(),
    close: () => transport.close(),
    async send(to, { messageId, headers, body }) {
      const sender = returnPathOf(bounceAddress, messageId) ?? from.address
      return transport.send({ from: sender, to, message: await writeMessage(headers, body, signer) })
    },
  }
}
