import type { Hono } from 'hono'
import { sandboxInboxRoutes } from '#server/features/operations/sandbox-inbox/sandbox-inbox.routes.ts'
import type { Config } from './config/config.ts'
import type { AppEnv } from './http/principal.ts'
import { createDkimSigner } from './mail/dkim.ts'
import type { Mailer } from './mail/mailer.ts'
import { createNewsletterMailer, type NewsletterMailer } from './mail/newsletter-mailer.ts'
import { createOutbox } from './mail/outbox.ts'
import { createOutboxTransport } from './mail/outbox-transport.ts'
import { createSmtpMailer } from './mail/smtp-mailer.ts'
import { createSmtpTransport } from './mail/smtp-transport.ts'

/** Separate from the newsletter's connections, so that sign-in codes don't wait behind a mailing. */
const accountConnections = 3
/** Someone may be waiting for a code, so account email is tried again sooner than a newsletter. */
const accountTimeoutMs = 2 * 60_000

/**
 * Opens the mailers for account email and for the newsletter. In the sandbox both write to the outbox, which has pages.
 * @throws OperatorError for an invalid DKIM key
 */
export async function openMail(
  config: Config,
  clock: () => Date,
): Promise<{ mailer: Mailer; newsletterMailer: NewsletterMailer; inboxPages: Hono<AppEnv>[] }> {
  const { mail, settings } = config
  const from = {
    get name() {
      return settings.publication.senderName || settings.publication.name
    },
    address: mail.from,
  }
  if (mail.kind === 'smtp') {
    const { url, connections } = mail
    const signer = mail.dkim && (await createDkimSigner(mail.dkim))
    const transport = createSmtpTransport({ url, connections: accountConnections, timeoutMs: accountTimeoutMs })
    return {
      mailer: createSmtpMailer({ transport, signer, from }),
      newsletterMailer: createNewsletterMailer({
        transport: createSmtpTransport({ url, connections }),
        signer,
        from,
        bounceAddress: config.bounceReports.bounceAddress,
      }),
      inboxPages: [],
    }
  }
  const outbox = createOutbox({ from: mail.from, file: mail.file, clock })
  const newsletterMailer = createNewsletterMailer({ transport: createOutboxTransport(outbox), signer: null, from })
  return { mailer: outbox, newsletterMailer, inboxPages: [sandboxInboxRoutes(outbox, config)] }
}
