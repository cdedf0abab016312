import { eq } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { emailPreferences, users } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { type NoticeEvent, securityNoticeEmail } from '#server/mail/texts/security-emails.ts'
import { deviceName } from '#shared/domain/device-name.ts'
import { tryDailyEmailLimit, tryDailyNoticeLimit } from '../limits/email-limits.ts'
import { recordSecurityEvent, type SecurityEventEntry } from './security-event.ts'

export type SecurityChange = SecurityEventEntry & {
  event: NoticeEvent
  /** The address before the change; empty if there is none. */
  email: string
  /** True if that address was confirmed, if the user's row doesn't tell (anymore). */
  isEmailVerified?: boolean
}

/**
 * Records a security change and emails the owner. Call it in the transaction of the change. Emails have a daily limit, much
 * lower for unconfirmed addresses, which may belong to someone else; the staff log records every change.
 */
export async function notifySecurityChange(
  tx: Tx,
  { config, enqueue }: Pick<Deps, 'config' | 'enqueue'>,
  change: SecurityChange,
): Promise<void> {
  const { email, now } = change
  await recordSecurityEvent(tx, change)
  if (!email) return
  const owner = await readOwner(tx, change.userId)
  const isEmailVerified = change.isEmailVerified ?? Boolean(owner?.confirmedAt)
  const isAllowed = isEmailVerified
    ? await tryDailyNoticeLimit(tx, change.event, email, now)
    : await tryDailyEmailLimit(tx, 'unverified_notice', email, now)
  if (!isAllowed) return
  const notice = securityNoticeEmail({
    to: email,
    event: change.event,
    device: change.by || !change.client ? null : deviceName(change.client.userAgent),
    when: now,
    timeZone: owner?.timeZone ?? null,
    config,
  })
  await enqueue(tx, emailJob, notice)
}

async function readOwner(tx: Tx, userId: string | null) {
  if (!userId) return null
  const [owner] = await tx
    .select({ confirmedAt: users.emailConfirmedAt, timeZone: emailPreferences.timeZone })
    .from(users)
    .leftJoin(emailPreferences, eq(emailPreferences.userId, users.id))
    .where(eq(users.id, userId))
  return owner
}
