import { randomUUID } from 'node:crypto'
import { and, eq, lt, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { emailReplies, replyMailbox, users } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import type { Replied } from './find-replied.ts'
import type { ReplyText } from './parse-reply.ts'

type MailboxDeps = Pick<Deps, 'database' | 'clock'>
export type Position = { address: string; uidValidity: string; lastUid: number }
type Email =
  | { kind: 'automatic' | 'other' }
  | { kind: 'reply'; reply: Replied & ReplyText & { messageHash: string; at: Date } }

/** Without the password. */
const nameOf = (address: string) => {
  const { username, host, pathname } = new URL(address)
  return `${decodeURIComponent(username)}@${host}${pathname}`
}

/** How far the mailbox was read. For a new one, or one that numbers its emails anew, `start` says where to begin. */
export async function findPosition(
  { database, clock }: MailboxDeps,
  { address, uidValidity }: { address: string; uidValidity: string },
  start: () => Promise<number>,
): Promise<Position> {
  const name = nameOf(address)
  const [known] = await database.db.select().from(replyMailbox).where(eq(replyMailbox.address, name))
  if (known?.uidValidity === uidValidity) return { address: name, uidValidity, lastUid: known.lastUid }
  const position = { uidValidity, lastUid: Math.max(0, await start()) }
  await database.db
    .insert(replyMailbox)
    .values({ address: name, ...position, readAt: clock() })
    .onConflictDoUpdate({
      target: replyMailbox.address,
      set: position,
      // Another node may have begun meanwhile.
      setWhere: sql`${replyMailbox.uidValidity} <> ${uidValidity}`,
    })
  return { address: name, ...position }
}

/** Records an email and that it was read, in one transaction: a crash repeats it, and a second node leaves it out. */
export async function recordEmail(
  { database }: MailboxDeps,
  { address, uidValidity }: Position,
  uid: number,
  email: Email,
): Promise<void> {
  await database.db.transaction(async (tx) => {
    const counted =
      email.kind === 'automatic'
        ? { automatic: sql`${replyMailbox.automatic} + 1` }
        : email.kind === 'other'
          ? { others: sql`${replyMailbox.others} + 1` }
          : {}
    const moved = await tx
      .update(replyMailbox)
      .set({ lastUid: uid, ...counted })
      .where(
        and(
          eq(replyMailbox.address, address),
          eq(replyMailbox.uidValidity, uidValidity),
          lt(replyMailbox.lastUid, uid),
        ),
      )
      .returning({ lastUid: replyMailbox.lastUid })
    if (moved.length === 0 || email.kind !== 'reply') return
    const { userId } = email.reply
    // Locks the user against a concurrent deletion, which would violate the foreign key.
    const [user] = await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('key share')
    if (!user) return
    await tx
      .insert(emailReplies)
      .values({ id: randomUUID(), ...email.reply })
      .onConflictDoNothing()
  })
}

/** Records that a run is over, and until when all emails were read if it reached the end of the mailbox. */
export async function recordRun(
  { database, clock }: MailboxDeps,
  { address, uidValidity }: Position,
  readThrough: Date | null,
): Promise<void> {
  await database.db
    .update(replyMailbox)
    .set({ readAt: clock(), ...(readThrough && { readThrough }) })
    .where(and(eq(replyMailbox.address, address), eq(replyMailbox.uidValidity, uidValidity)))
}

/** The time before which all emails of the mailbox were read; null if it isn't known. */
export async function findReadThrough(db: Db | Tx, address: string): Promise<Date | null> {
  const [row] = await db
    .select({ readThrough: replyMailbox.readThrough })
    .from(replyMailbox)
    .where(eq(replyMailbox.address, nameOf(address)))
  return row?.readThrough ?? null
}
