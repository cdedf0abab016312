import type { ImapFlow } from 'imapflow'
import { type HandleEmail, maxEmailBytes } from './handle-email.ts'

/** The next run reads the rest. */
export const maxEmailsPerRun = 500

/** Opens the mailbox of an address such as `imaps://user:password@host/INBOX` and closes the connection at the end. */
export async function withImapMailbox(
  address: string,
  { readOnly }: { readOnly: boolean },
  use: (client: ImapFlow) => Promise<void>,
): Promise<void> {
  const url = new URL(address)
  const secure = url.protocol === 'imaps:'
  const imap = await import('imapflow')
  const client = new imap.ImapFlow({
    host: url.hostname,
    port: Number(url.port || (secure ? 993 : 143)),
    secure,
    auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    logger: false,
  })
  // A broken connection also rejects the current command; without a listener the process would exit.
  client.on('error', () => {})
  try {
    await client.connect()
    const lock = await client.getMailboxLock(decodeURIComponent(url.pathname.slice(1)) || 'INBOX', { readOnly })
    try {
      await use(client)
    } finally {
      lock.release()
    }
    await client.logout()
  } finally {
    client.close()
  }
}

/** Reads unseen emails and sets `\Seen` on each after it was handled. After a crash an email may be handled twice. */
export const readImapMailbox = (address: string, handle: HandleEmail): Promise<void> =>
  withImapMailbox(address, { readOnly: false }, async (client) => {
    const unseen = (await client.search({ seen: false }, { uid: true })) || []
    for (const uid of unseen.slice(0, maxEmailsPerRun)) {
      const query = { source: { maxLength: maxEmailBytes }, internalDate: true }
      const email = await client.fetchOne(String(uid), query, { uid: true })
      if (!email || email.source === undefined) continue
      await handle(email.source, new Date(email.internalDate ?? Date.now()))
      await client.messageFlagsAdd(String(uid), ['\\Seen'], { uid: true })
    }
  })
