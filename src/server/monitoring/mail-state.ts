import type { MailConfig } from '#server/config/mail.ts'
import { openSmtpConnection } from '#server/mail/smtp-connection.ts'
import { within } from './within.ts'

const timeoutMs = 5_000

/** Connects and signs in to the mail server, without sending anything. */
export async function readMailState(mail: MailConfig): Promise<'ok' | 'unreachable'> {
  if (mail.kind === 'outbox') return 'ok'
  const opening = openSmtpConnection({ url: mail.url, timeoutMs })
  // A connection that opens too late is closed as well.
  opening.then(
    (connection) => connection.quit(),
    () => {},
  )
  return within(timeoutMs, opening).then(
    () => 'ok',
    () => 'unreachable',
  )
}
