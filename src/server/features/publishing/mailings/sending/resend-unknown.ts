import { eq, sql } from 'drizzle-orm'
import { queryRows } from '#server/db/database.ts'
import { mailings } from '#server/db/schema/index.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { AppError } from '#shared/errors.ts'
import { lockMailing } from './mailing-row.ts'
import type { SendingDeps } from './sending-deps.ts'

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
