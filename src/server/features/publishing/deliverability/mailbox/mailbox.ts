import { mkdir, readdir, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '#server/config/config.ts'
import { type HandleEmail, maxEmailBytes } from './handle-email.ts'
import { readImapMailbox } from './imap.ts'

/** Handles new emails one at a time. */
export function readMailbox(
  mailbox: NonNullable<Config['bounceReports']['mailbox']>,
  handle: HandleEmail,
): Promise<void> {
  return mailbox.kind === 'imap' ? readImapMailbox(mailbox.url, handle) : readMaildir(mailbox.directory, handle)
}

/** Reads new emails of a local maildir and moves each to `cur` once it has been handled. */
async function readMaildir(directory: string, handle: HandleEmail): Promise<void> {
  const [fresh, done] = [join(directory, 'new'), join(directory, 'cur')]
  await Promise.all([fresh, done].map((folder) => mkdir(folder, { recursive: true })))
  for (const name of (await readdir(fresh)).sort()) {
    const file = join(fresh, name)
    await handle((await readFile(file)).subarray(0, maxEmailBytes), (await stat(file)).mtime)
    await rename(file, join(done, `${name}:2,S`))
  }
}
