import { eq } from 'drizzle-orm'
import { isOnHold } from '#server/db/restore-hold.ts'
import { staffEvent } from '#server/db/schema/index.ts'
import type { Deps } from '#server/deps.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { staffEventsEmail } from '#server/mail/texts/publisher-emails.ts'
import { hourMs } from '#shared/domain/durations.ts'
import { type StaffEventKind, staffEventKinds } from '#shared/domain/staff-emails.ts'
import { listStaffRecipients, lockLastSent, setLastSent } from './staff-recipients.ts'

export type StaffEmailDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'enqueue'>

/** Emails what happened since the last time, at most once an hour for each kind. */
export async function sendStaffEvents(deps: StaffEmailDeps): Promise<void> {
  if (await isOnHold(deps.database.db)) return
  for (const kind of staffEventKinds) await sendKind(deps, kind)
}

/** Deleting the events and enqueuing the emails are one transaction, so that a crash loses and repeats nothing. */
async function sendKind({ config, database, clock, enqueue }: StaffEmailDeps, kind: StaffEventKind): Promise<void> {
  const now = clock()
  if ((await database.db.$count(staffEvent, eq(staffEvent.kind, kind))) === 0) return
  await database.db.transaction(async (tx) => {
    const sinceMs = now.getTime() - (await lockLastSent(tx, kind)).getTime()
    // A negative time means that the clock was set back.
    if (sinceMs >= 0 && sinceMs < hourMs) return
    const events = await tx.delete(staffEvent).where(eq(staffEvent.kind, kind)).returning({ count: staffEvent.count })
    const count = events.reduce((sum, event) => sum + event.count, 0)
    const recipients = await listStaffRecipients(tx, kind, now)
    if (count === 0 || recipients.length === 0) return
    for (const { email } of recipients) {
      await enqueue(tx, emailJob, staffEventsEmail({ to: email, kind, count, config }))
    }
    await setLastSent(tx, kind, now)
  })
}
