import { eq } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { users } from '#server/db/schema/index.ts'
import type { Deps } from '#server/deps.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { type NoticeEvent, securityNoticeEmail } from '#server/mail/texts/security-emails.ts'
import { deviceName } from '#shared/domain/device-name.ts'
import { tryDailyEmailLimit, tryDailyNoticeLimit } from '../limits/email-limits.ts'
import { recordSecurityEvent, type SecurityEventEntry } from './security-event.ts'

export type SecurityChange = SecurityEventEntry & {
  event: NoticeEvent
  /** Of the account before the change: a new address must not be the only one to hear of it. Empty when it has none. */
  email: string
  /** Whether that address is proven, where the account's row no longer says so of it, or does not yet. */
  isEmailVerified?: boolean
}

/**
 * Records a change to the keys of an account and tells its owner by mail, both in the transaction of the change: there
 * is no change without a line and a notice, and no notice of a change that was rolled back.
 *
 * Anybody can sign up with anybody's address and then change keys as often as they like. Until the mailbox has
 * answered it gets a few notices a day, and a confirmed one twenty of each kind. The log tells of every change.
 */
export async function notifySecurityChange(
  tx: Tx,
  { config, enqueue }: Pick<Deps, 'config' | 'enqueue'>,
  change: SecurityChange,
): Promise<void> {
  const { email, now } = change
  await recordSecurityEvent(tx, change)
  if (!email) return
  const isEmailVerified = change.isEmailVerified ?? (await isConfirmed(tx, change.userId))
  const mayGo = isEmailVerified
    ? await tryDailyNoticeLimit(tx, change.event, email, now)
    : await tryDailyEmailLimit(tx, 'unproven_notice', email, now)
  if (!mayGo) return
  const notice = securityNoticeEmail({
    to: email,
    event: change.event,
    device: change.by || !change.client ? null : deviceName(change.client.userAgent),
    when: now,
    publicUrl: config.publicUrl,
  })
  await enqueue(tx, emailJob, notice)
}

async function isConfirmed(tx: Tx, userId: string | null): Promise<boolean> {
  if (!userId) return false
  const [user] = await tx.select({ confirmedAt: users.emailConfirmedAt }).from(users).where(eq(users.id, userId))
  return Boolean(user?.confirmedAt)
}
