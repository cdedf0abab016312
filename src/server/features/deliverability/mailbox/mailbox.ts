import type { Config } from '#server/config/config.ts'
import type { HandleEmail } from './handle-email.ts'
import { readImapMailbox } from './imap.ts'
import { readMaildir } from './maildir.ts'

/** Hands every new mail over, one after the other. */
export function readMailbox(
  mailbox: NonNullable<Config['bounceReports']['mailbox']>,
  handle: HandleEmail,
): Promise<void> {
  return mailbox.kind === 'imap' ? readImapMailbox(mailbox.url, handle) : readMaildir(mailbox.directory, handle)
}
