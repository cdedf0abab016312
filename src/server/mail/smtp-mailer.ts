import type { DkimSigner } from './dkim.ts'
import type { Mailer } from './mailer.ts'
import { readMessage, writeMessage } from './mime-message.ts'
import type { MailTransport } from './transport.ts'

type SmtpMailer = {
  /** Its own connections: a letter to everybody must not keep a sign-in code waiting. */
  transport: MailTransport
  signer: DkimSigner | null
  from: string
  senderName: string
}

/** Account mail over SMTP, signed like the letters. */
export function createSmtpMailer({ transport, signer, from, senderName }: SmtpMailer): Mailer {
  return {
    async send(mail) {
      const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
      // Line breaks as they go over the wire, else the signature would be over others.
      const composer = new MailComposer({ ...mail, from: { name: senderName, address: from }, newline: 'windows' })
      const { headers, body } = readMessage(await composer.compile().build())
      const message = await writeMessage(headers, body, signer)
      const { kind, response } = await transport.send({ from, to: mail.to, message })
      if (kind !== 'accepted') throw new Error(`The mail server rejected it (${kind}): ${response}`)
    },
    close: () => transport.close(),
  }
}
