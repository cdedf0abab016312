import type { Tx } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'
import { mailJob } from '#server/jobs/mail-job.ts'
import { type NoticeEvent, securityNoticeMail } from '#server/mail/account-mails.ts'
import { deviceName } from '#shared/domain/device-name.ts'
import { recordSecurityEvent, type SecurityEventEntry } from './security-event.ts'

export type SecurityChange = SecurityEventEntry & {
  event: NoticeEvent
  /** Of the account before the change: a new address must not be the only one to hear of it. Empty when it has none. */
  email: string
}

/**
 * Records a change to the keys of an account and tells its owner by mail, both in the transaction of the change: there
 * is no change without a line and a notice, and no notice of a change that was rolled back.
 */
export async function notifySecurityChange(
  tx: Tx,
  { config, enqueue }: Pick<Deps, 'config' | 'enqueue'>,
  change: SecurityChange,
): Promise<void> {
  await recordSecurityEvent(tx, change)
  if (!change.email) return
  const notice = securityNoticeMail({
    to: change.email,
    event: change.event,
    device: change.by || !change.client ? null : deviceName(change.client.userAgent),
    when: change.now,
    publicUrl: config.publicUrl,
  })
  await enqueue(tx, mailJob, notice)
}
