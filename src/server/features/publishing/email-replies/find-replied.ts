import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { type Db, queryRows } from '#server/db/database.ts'
import { deliveries, users } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { normalizeMailbox } from '#server/mail/normalize-mailbox.ts'
import { findDelivery } from '../email-preferences/find-delivery.ts'
import type { ReplyHeaders } from './reply-headers.ts'

export type Replied = { userId: string; mailingId: string; issueId: string | null; hasToken: boolean }

/**
 * The member who wrote an email, and the mailing that it replies to. The token in the Message-ID of our emails tells which
 * delivery it was. Some providers replace the Message-ID; then the newest email with this subject counts. Null for emails
 * of others, and for those that reply to nothing that we sent.
 */
export async function findReplied(
  deps: Pick<Deps, 'database' | 'secrets'>,
  { from, subject, isReply, inReplyTo, references }: ReplyHeaders,
): Promise<Replied | null> {
  const { db } = deps.database
  const deliveryId = findDelivery(deps, inReplyTo, references)
  const delivery = deliveryId ? await readDelivery(db, deliveryId) : null
  if (delivery?.email && normalizeMailbox(delivery.email) === normalizeMailbox(from)) {
    return { ...delivery.of, userId: delivery.userId, hasToken: true }
  }
  const userId = await findMember(db, from)
  if (!userId) return null
  // A member may reply to an email that another one forwarded.
  if (delivery) return { ...delivery.of, userId, hasToken: delivery.userId === userId }
  const sent = isReply && subject !== '' ? await findBySubject(db, userId, subject) : null
  return sent && { ...sent, userId, hasToken: false }
}

async function readDelivery(db: Db, id: string) {
  const [row] = await db
    .select({
      of: { mailingId: deliveries.mailingId, issueId: deliveries.issueId },
      userId: deliveries.userId,
      email: deliveries.email,
    })
    .from(deliveries)
    .innerJoin(users, eq(users.id, deliveries.userId))
    .where(sql`${deliveries.id} = ${id}::bigint`)
  return row ?? null
}

async function findMember(db: Db, email: string): Promise<string | null> {
  const [row] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.email, email), isNotNull(users.emailConfirmedAt), isNull(users.deletedAt)))
  return row?.id ?? null
}

async function findBySubject(db: Db, userId: string, subject: string) {
  const [row] = await queryRows<{ mailingId: string; issueId: string | null }>(
    db,
    sql`select d.mailing_id as "mailingId", d.issue_id as "issueId"
      from deliveries d join mailings m on m.id = d.mailing_id
      where d.user_id = ${userId}::uuid and d.status in ('submitted', 'unknown')
        and (m.subject = ${subject} or m.content -> 'otherSubjects' @> ${JSON.stringify([subject])}::jsonb)
      order by d.id desc limit 1`,
  )
  return row ?? null
}
