import { eq, sql } from 'drizzle-orm'
import { queryRows, type Tx } from '#server/db/database.ts'
import { readTimeZone } from '#server/db/publication-setting.ts'
import { isOnHold } from '#server/db/restore-hold.ts'
import { staffEmailChoice, staffEmailSent, staffEvent, userRoles, users } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { dueSummary } from '#server/features/publishing/assignment-emails/due-reminder.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { staffEventsEmail, staffSummaryEmail } from '#server/mail/texts/publisher-emails.ts'
import { hourMs } from '#shared/domain/durations.ts'
import {
  maySeeStaffEmail,
  type StaffEmailKind,
  type StaffEventKind,
  staffEventKinds,
} from '#shared/domain/staff-emails.ts'
import { parseStoredRole, type StaffRole } from '#shared/domain/staff-roles.ts'

/** Confirmed addresses of active staff who turned the email on and whose role may see it. */
async function listStaffRecipients(
  tx: Tx,
  kind: StaffEmailKind,
  now: Date,
): Promise<{ email: string; role: StaffRole }[]> {
  const rows = await tx
    .select({ email: users.email, role: userRoles.role })
    .from(staffEmailChoice)
    .innerJoin(userRoles, eq(userRoles.userId, staffEmailChoice.userId))
    .innerJoin(users, eq(users.id, staffEmailChoice.userId))
    .where(
      sql`${staffEmailChoice.kind} = ${kind} and ${users.emailConfirmedAt} is not null and ${users.deletedAt} is null
        and coalesce(${users.bannedUntil} <= ${now.toISOString()}::timestamptz, true)`,
    )
    .orderBy(users.email)
  return rows.flatMap(({ email, role: stored }) => {
    const role = parseStoredRole(stored)
    return email && role && maySeeStaffEmail(role, kind) ? [{ email, role }] : []
  })
}

/** When the last email of the kind was enqueued. Keeps other workers waiting until the end of the transaction. */
async function lockLastSent(tx: Tx, kind: StaffEmailKind): Promise<Date> {
  await tx
    .insert(staffEmailSent)
    .values({ kind, sentAt: new Date(0) })
    .onConflictDoNothing()
  const [row] = await tx.select().from(staffEmailSent).where(eq(staffEmailSent.kind, kind)).for('update')
  return row?.sentAt ?? new Date(0)
}

async function setLastSent(tx: Tx, kind: StaffEmailKind, sentAt: Date): Promise<void> {
  await tx.update(staffEmailSent).set({ sentAt }).where(eq(staffEmailSent.kind, kind))
}

type StaffEmailDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'enqueue'>

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
