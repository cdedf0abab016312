import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { readTimeZone } from '#server/db/publication-setting.ts'
import { queryRows } from '#server/db/query-rows.ts'
import { isOnHold } from '#server/db/restore-hold.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { staffSummaryEmail } from '#server/mail/texts/publisher-emails.ts'
import { dueSummary } from '#shared/domain/due-reminder.ts'
import { maySeeStaffEmail, type StaffEventKind, staffEventKinds } from '#shared/domain/staff-emails.ts'
import type { StaffEmailDeps } from './send-staff-events.ts'
import { listStaffRecipients, lockLastSent, setLastSent } from './staff-recipients.ts'

/** On Monday mornings in the publication's time zone, emails the numbers of the last seven days. Once a week. */
export async function sendStaffSummary({ config, database, clock, enqueue }: StaffEmailDeps): Promise<void> {
  const now = clock()
  const { db } = database
  const due = dueSummary(await readTimeZone(db), now)
  if (!due || (await isOnHold(db))) return
  await db.transaction(async (tx) => {
    if ((await lockLastSent(tx, 'weekly')) >= due.at) return
    const recipients = await listStaffRecipients(tx, 'weekly', now)
    if (recipients.length === 0) return
    const counts = await countWeek(tx, due.at)
    for (const { email, role } of recipients) {
      const seen = Object.fromEntries(
        staffEventKinds.filter((kind) => maySeeStaffEmail(role, kind)).map((kind) => [kind, counts[kind]]),
      )
      await enqueue(tx, emailJob, staffSummaryEmail({ to: email, counts: seen, config }))
    }
    await setLastSent(tx, 'weekly', now)
  })
}

async function countWeek(tx: Tx, until: Date): Promise<Record<StaffEventKind, number>> {
  const end = sql`${until.toISOString()}::timestamptz`
  const within = (column: string) =>
    sql`${sql.raw(column)} > ${end} - interval '7 days' and ${sql.raw(column)} <= ${end}`
  const [row] = await queryRows<Record<StaffEventKind, number>>(
    tx,
    sql`select
      (select count(*)::int from auth.users
        where email is not null and deleted_at is null and not is_anonymous and ${within('created_at')}) as member,
      (select count(*)::int from billing_notice where reason like 'canceled:%' and ${within('created_at')}) as canceled,
      (select count(*)::int from billing_notice
        where reason like 'payment-failed:%' and ${within('created_at')}) as "payment-failed",
      (select count(*)::int from gift where ${within('paid_at')})
        + (select count(*)::int from gift where ${within('claimed_at')}) as gift,
      (select count(*)::int from tries where note <> '' and ${within('answered_at')})
        + (select count(*)::int from question_answers where ${within('at')}) as answer`,
  )
  return row ?? { member: 0, canceled: 0, 'payment-failed': 0, gift: 0, answer: 0 }
}
