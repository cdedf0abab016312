import type { DkimSigner, HeaderField } from './dkim.ts'
import { writeMessage } from './mime-message.ts'
import { returnPathOf } from './return-path.ts'
import type { MailTransport, Outcome } from './transport.ts'

/** What letters go out through: signs them and hands them to the mail server, or in the sandbox to the outbox. */
export type NewsletterMailer = Pick<MailTransport, 'slots' | 'ready' | 'transportError' | 'close'> & {
  from: { name: string; address: string }
  send(to: string, mail: { messageId: string; headers: readonly HeaderField[]; body: Buffer }): Promise<Outcome>
}

type NewsletterMailerOptions = {
  transport: MailTransport
  signer: DkimSigner | null
  from: NewsletterMailer['from']
  /** Where mail that cannot be delivered goes back to; to the sender's own address without one. */
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
