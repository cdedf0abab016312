import { type DkimSigner, readMessage, writeMessage } from './dkim.ts'
import { EmailNotAccepted, type Mailer } from './mailer.ts'
import type { MailTransport } from './newsletter-mailer.ts'

type SmtpMailer = {
  /** Newsletters have their own connections, so that sign-in codes never wait for a mailing. */
  transport: MailTransport
  signer: DkimSigner | null
  from: { readonly name: string; readonly address: string }
}

/** Sends account email over SMTP, DKIM-signed if there is a signer. */
export function createSmtpMailer({ transport, signer, from }: SmtpMailer): Mailer {
  return {
    async send(email) {
      const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
      // CRLF as on the wire, otherwise the signature wouldn't match.
      const composer = new MailComposer({
        ...email,
        from: { name: from.name, address: from.address },
        newline: 'windows',
      })
      const { headers, body } = readMessage(await composer.compile().build())
      const message = await writeMessage(headers, body, signer)
      const { kind, response } = await transport.send({ from: from.address, to: email.to, message })
      if (kind !== 'accepted') throw new EmailNotAccepted({ kind, response })
    },
    close: () => transport.close(),
  }
}
