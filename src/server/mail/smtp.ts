import nodemailer from 'nodemailer'
import type { Mailer } from './mail.ts'

/** Account mail over pooled SMTP. */
export function createSmtpMailer(options: { url: string; from: string; senderName: string }): Mailer {
  const transport = nodemailer.createTransport(options.url, { pool: true, maxConnections: 3 } as object)
  return {
    async send(mail) {
      await transport.sendMail({ ...mail, from: { name: options.senderName, address: options.from } })
    },
    async close() {
      transport.close()
    },
  }
}
