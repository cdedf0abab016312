import type { ImapFlow, SearchObject } from 'imapflow'
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
  const refusals: { err?: unknown }[] = []
  const ignore = () => {}
  const client = new imap.ImapFlow({
    host: url.hostname,
    port: Number(url.port || (secure ? 993 : 143)),
    secure,
    auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    // Commands that the server refuses end with false, and the reason is only logged.
    logger: { debug: ignore, info: ignore, error: ignore, warn: (entry: { err?: unknown }) => refusals.push(entry) },
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
  } catch (error) {
    const answer = answerIn(error) ?? answerIn(refusals.at(-1)?.err)
    throw answer ? new Error(`The mail server of the mailbox answered “${answer}”`, { cause: error }) : error
  } finally {
    client.close()
  }
}

/** The server's words, also those before it closed the connection; the message says only that a command failed. */
function answerIn(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const { responseText, reason } = error as { responseText?: unknown; reason?: unknown }
  return [responseText, reason].find((words) => typeof words === 'string') ?? null
}

/** @throws if the mail server refuses, so that it doesn't look like an empty mailbox */
export async function searchMailbox(client: ImapFlow, query: SearchObject): Promise<number[]> {
  const found = await client.search(query, { uid: true })
  if (!found) throw new Error('The mailbox could not be searched')
  return found
}

/** Emails that were handled but stayed unread, of this process, by mailbox. */
const handled = new Map<string, Set<number>>()

/**
 * Reads unseen emails and sets `\Seen` on each after it was handled. After a crash an email may be handled twice. Emails
 * on which it can't be set don't keep newer ones from being read.
 * @throws if the mail server refuses to set it, after all were handled
 */
export const readImapMailbox = (address: string, handle: HandleEmail): Promise<void> =>
  withImapMailbox(address, { readOnly: false }, async (client) => {
    const name = `${address} ${client.mailbox ? client.mailbox.uidValidity : ''}`
    const done = handled.get(name) ?? new Set()
    handled.set(name, done)
    const unseen = (await searchMailbox(client, { seen: false })).filter((uid) => !done.has(uid))
    let unmarked = 0
    for (const uid of unseen.slice(0, maxEmailsPerRun)) {
      const query = { source: { maxLength: maxEmailBytes }, internalDate: true }
      const email = await client.fetchOne(String(uid), query, { uid: true })
      if (!email || email.source === undefined) {
        done.add(uid)
        continue
      }
      await handle(email.source, new Date(email.internalDate ?? Date.now()))
      if (await client.messageFlagsAdd(String(uid), ['\\Seen'], { uid: true })) continue
      done.add(uid)
      unmarked += 1
    }
    if (unmarked > 0) throw new Error(`${unmarked} emails of the mailbox can't be marked as read`)
  })
