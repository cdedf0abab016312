import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { queryRows } from '#server/db/database.ts'
import { deliveries, mailings } from '#server/db/schema/index.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { deliveryCauses, everyone } from '#shared/contracts/publishing/newsletter.ts'
import { AppError } from '#shared/errors.ts'
import { audienceSql, memberSql } from './audience-sql.ts'
import { lockMailing, type SendingDeps } from './mailing-row.ts'

const rowsSchema = z.array(
  z.object({
    email: z.string(),
    name: z.string().nullable(),
    reader: z.string(),
    cause: z.enum(Object.keys(deliveryCauses) as [keyof typeof deliveryCauses]).nullable(),
  }),
)

/**
 * Sends an already sent issue to one more member: one who was suppressed, failed or unknown, or had no access at the time.
 * The member must be allowed to receive it now. The content stays as it was sent.
 * @throws AppError not_found; mailing_not_changeable unless it was sent; already_sent_to_member; member_not_eligible with the reason
 */
export async function resendToMember(
  { config, database, clock }: Pick<SendingDeps, 'config' | 'database' | 'clock'>,
  who: Actor,
  { mailingId, userId }: { mailingId: string; userId: string },
): Promise<void> {
  await database.db.transaction(async (tx) => {
    const mailing = await lockMailing(tx, mailingId)
    const { status, issueId, subject } = mailing
    if (!issueId || (status !== 'sent' && status !== 'sending')) throw new AppError('mailing_not_changeable')
    const now = clock()
    const { joins, where, cause } = audienceSql(
      config,
      { ...mailing, audience: { ...everyone, newsletterId: mailing.audience.newsletterId } },
      now,
    )
    const found = await queryRows(
      tx,
      sql`select ${memberSql}, ${cause} as cause from auth.users u ${joins} where ${where} and u.id = ${userId}::uuid`,
    )
    const [member] = rowsSchema.parse(found)
    if (member?.cause === 'already_received') throw new AppError('already_sent_to_member')
    const hindrance = member ? member.cause : 'not_entitled'
    if (!member || hindrance) {
      const message = `This member can’t receive this drop: ${deliveryCauses[hindrance ?? 'not_entitled'].toLowerCase()}.`
      throw new AppError('member_not_eligible', { message })
    }
    const { email, name, reader } = member
    const fresh = {
      email,
      name,
      reader,
      domain: email.slice(email.lastIndexOf('@') + 1),
      status: 'pending',
      changedAt: now,
      sendAt: mailing.readerHours ? now : null,
    }
    const [earlier] = await tx
      .select({ status: deliveries.status })
      .from(deliveries)
      .where(and(eq(deliveries.mailingId, mailingId), eq(deliveries.userId, userId)))
    if (earlier && ['pending', 'sending', 'submitted'].includes(earlier.status))
      throw new AppError('already_sent_to_member')
    await tx
      .insert(deliveries)
      .values({ ...fresh, mailingId, issueId, userId })
      .onConflictDoUpdate({
        target: [deliveries.userId, deliveries.mailingId],
        set: { ...fresh, cause: null, response: null, attempts: 0, senderId: null, nextAttemptAt: null },
      })
    if (status === 'sent') {
      await tx
        .update(mailings)
        .set({ status: 'sending', finishedAt: null, updatedAt: now })
        .where(eq(mailings.id, mailingId))
    }
    const object = { kind: 'mailing', id: mailingId, name: subject } as const
    await recordAdminEvent(tx, who, { event: 'mailing_resent', object, about: { userId, email }, now })
  })
}

/**
 * Sends again to members who may already have the email. The staff log records who decided that.
 * @throws AppError not_found, mailing_not_changeable for a mailing that was stopped
 */
export async function resendUnknown(
  { database, clock }: Pick<SendingDeps, 'database' | 'clock'>,
  mailingId: string,
  deliveryIds: readonly string[],
  who: Actor,
): Promise<{ resent: number }> {
  return database.db.transaction(async (tx) => {
    const { status, subject } = await lockMailing(tx, mailingId)
    if (status === 'stopped') throw new AppError('mailing_not_changeable')
    const now = clock()
    const rows = await queryRows(
      tx,
      sql`
      update deliveries set status = 'pending', cause = null, response = null, sender_id = null, next_attempt_at = null,
        changed_at = ${now.toISOString()}::timestamptz
      where mailing_id = ${mailingId}::uuid and status = 'unknown' and email is not null
        and id in (select value::bigint from jsonb_array_elements_text(${JSON.stringify(deliveryIds)}::jsonb))
      returning 1`,
    )
    const resent = rows.length
    if (resent === 0) return { resent }
    if (status === 'sent') {
      await tx
        .update(mailings)
        .set({ status: 'sending', finishedAt: null, updatedAt: now })
        .where(eq(mailings.id, mailingId))
    }
    const object = { kind: 'mailing', id: mailingId, name: subject } as const
    await recordAdminEvent(tx, who, { event: 'letters_resent', object, note: `${resent} resent`, now })
    return { resent }
  })
}
