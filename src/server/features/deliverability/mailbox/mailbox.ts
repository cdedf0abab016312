import type { Config } from '#server/config/config.ts'
import type { HandleEmail } from './handle-email.ts'
import { readImapMailbox } from './imap.ts'
import { readMaildir } from './maildir.ts'

/** Handles new emails one at a time. */
export function readMailbox(
  mailbox: NonNullable<Config['bounceReports']['mailbox']>,
  handle: HandleEmail,
): Promise<void> {
  return mailbox.kind === 'imap' ? readImapMailbox(mailbox.url, handle) : readMaildir(mailbox.directory, handle)
}
