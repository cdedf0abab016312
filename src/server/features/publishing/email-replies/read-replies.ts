import { eq } from 'drizzle-orm'
import type { ImapFlow } from 'imapflow'
import { isOnHold } from '#server/db/restore-hold.ts'
import { mailings } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { dayMs } from '#shared/domain/durations.ts'
import { maxEmailBytes } from '../deliverability/mailbox/handle-email.ts'
import { maxEmailsPerRun, searchMailbox, withImapMailbox } from '../deliverability/mailbox/imap.ts'
import { findReplied, type Replied } from './find-replied.ts'
import { parseReply } from './parse-reply.ts'
import { readReplyHeaders, replyHeaderNames } from './reply-headers.ts'
import { findPosition, type Position, recordEmail, recordRun } from './reply-mailbox.ts'

type ReplyDeps = Pick<Deps, 'config' | 'database' | 'secrets' | 'clock' | 'logger'>

/** What the first run reads of a mailbox that is full already. */
const firstDays = 7

/**
 * Records replies of members that arrived since the last run. The mailbox is opened for reading only, so that everything
 * in it stays as it was; of emails that aren't replies of members, only headers are read. Safe to run on two nodes at once.
 */
export async function readReplies(deps: ReplyDeps, { maxEmails = maxEmailsPerRun } = {}): Promise<void> {
  const address = deps.config.repliesMailbox
  if (!address || (await isOnHold(deps.database.db))) return
  const startedAt = deps.clock()
  await withImapMailbox(address, { readOnly: true }, async (client) => {
    if (!client.mailbox) return
    const position = await findPosition(
      deps,
      { address, uidValidity: String(client.mailbox.uidValidity) },
      async () => (await findStart(client, deps.clock())) - 1,
    )
    const found = await searchMailbox(client, { uid: `${position.lastUid + 1}:*` })
    // A range that ends in * always has the last email.
    const fresh = found.filter((uid) => uid > position.lastUid).sort((one, other) => one - other)
    for (const uid of fresh.slice(0, maxEmails)) await readEmail(deps, client, position, uid)
    await recordRun(deps, position, fresh.length <= maxEmails ? startedAt : null)
  })
}

/** The number of the first email that is new enough; if there is none, of the next one that arrives. */
async function findStart(client: ImapFlow, now: Date): Promise<number> {
  const recent = await searchMailbox(client, { since: new Date(now.getTime() - firstDays * dayMs) })
  // Courier doesn't say it when a mailbox is opened.
  const { mailbox } = client
  const known = mailbox ? mailbox.uidNext : undefined
  return Math.min(known ?? ((await searchMailbox(client, { all: true })).at(-1) ?? 0) + 1, ...recent)
}

async function readEmail(deps: ReplyDeps, client: ImapFlow, position: Position, uid: number): Promise<void> {
  const query = { headers: [...replyHeaderNames], internalDate: true }
  const email = await client.fetchOne(String(uid), query, { uid: true })
  // Someone deleted it meanwhile.
  if (!email || email.headers === undefined) return
  const headers = await readReplyHeaders(email.headers).catch((error: unknown) => skip(deps, error))
  if (!headers) return recordEmail(deps, position, uid, { kind: 'other' })
  if (headers.isAutomatic) return recordEmail(deps, position, uid, { kind: 'automatic' })
  const replied = await findReplied(deps, headers)
  if (!replied) return recordEmail(deps, position, uid, { kind: 'other' })
  const text = await readText(deps, client, uid, await readSent(deps, replied))
  if (!text) return recordEmail(deps, position, uid, { kind: 'other' })
  const at = new Date(email.internalDate ?? deps.clock())
  const { messageHash } = headers
  return recordEmail(deps, position, uid, { kind: 'reply', reply: { ...replied, ...text, messageHash, at } })
}

/** The words that the mailing had. Escaped line ends in them don't join words. */
async function readSent({ database }: ReplyDeps, { mailingId }: Replied): Promise<string> {
  const [mailing] = await database.db
    .select({ content: mailings.content })
    .from(mailings)
    .where(eq(mailings.id, mailingId))
  return JSON.stringify(mailing?.content ?? '').replaceAll(/\\[nrt"\\]/g, ' ')
}

async function readText(deps: ReplyDeps, client: ImapFlow, uid: number, sent: string) {
  const email = await client.fetchOne(String(uid), { source: { maxLength: maxEmailBytes } }, { uid: true })
  if (!email || email.source === undefined) return null
  return parseReply(email.source, sent).catch((error: unknown) => skip(deps, error))
}

/** An unreadable email doesn't block the others. */
function skip({ logger }: ReplyDeps, error: unknown): null {
  logger.warn({ err: error }, 'failed to parse an email in the mailbox of replies')
  return null
}
