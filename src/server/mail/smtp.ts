import type { Transporter } from 'nodemailer'
import type { Mailer } from './mail.ts'

/** Account mail over pooled SMTP. The library and its connections come with the first mail. */
export function createSmtpMailer(options: { url: string; from: string; senderName: string }): Mailer {
  let opening: Promise<Transporter> | undefined
  const open = async () => {
    const { createTransport } = await import('nodemailer')
    return createTransport(options.url, { pool: true, maxConnections: 3 } as object)
  }
  return {
    async send(mail) {
      opening ??= open()
      const transport = await opening
      await transport.sendMail({ ...mail, from: { name: options.senderName, address: options.from } })
    },
    async close() {
      const transport = await opening
      transport?.close()
    },
  }
}
