import type { Config } from '#server/config/config.ts'
import { readImapMailbox } from './imap.ts'
import { readMaildir } from './maildir.ts'
import type { TakeMail } from './take-mail.ts'

/** Hands every new mail over, one after the other. */
export function readMailbox(mailbox: NonNullable<Config['bounceReports']['mailbox']>, take: TakeMail): Promise<void> {
  return mailbox.kind === 'imap' ? readImapMailbox(mailbox.url, take) : readMaildir(mailbox.directory, take)
}
