import { and, eq, sql } from 'drizzle-orm'
import { queryRows } from '#server/db/database.ts'
import { isOnHold } from '#server/db/restore-hold.ts'
import { deadline } from '#server/db/schema/index.ts'
import { hasAccess, readAccessFacts } from '#server/features/billing/subscriptions/access/read-access.ts'
import { readSendingSettings } from '#server/features/publishing/sending-settings/sending-settings.ts'
import { listDeadlines, readDeadlineKinds } from '#server/features/reader/deadlines/deadlines.ts'
import { sendPush } from '#server/features/reader/push/push.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { deadlineReminderEmail } from '#server/mail/texts/assignment-emails.ts'
import { hasPage } from '#shared/domain/built-in-pages.ts'
import { daysLeftWords, reminderAfter } from '#shared/domain/deadlines.ts'
import { addDays } from '#shared/domain/due-day.ts'
import { instantOf, localTimeOf } from '#shared/domain/zoned-time.ts'
import { type AssignmentEmailDeps, addressed, findRecipient } from './recipients.ts'

/** In the reader's time zone. */
const reminderTime = 'T08:00'

/**
 * Reminds readers from 8 AM, with one email for all that is due. The next reminder is set in the transaction that enqueues
 * the email, with the dates locked, so that nodes and crashes don't repeat it.
 */
export async function sendDeadlineReminders(deps: AssignmentEmailDeps): Promise<void> {
  const { db } = deps.database
  if (!hasPage(deps.config.settings.publication, 'deadlines') || (await isOnHold(db))) return
  const { timeZone } = await readSendingSettings(db)
  const now = deps.clock().toISOString()
  const people = await queryRows<{ userId: string; timeZone: string | null; first: string }>(
    db,
    sql`select d.user_id as "userId", p.time_zone as "timeZone", min(d.remind_on)::text as first
      from deadline d left join email_preferences p on p.user_id = d.user_id
      where not d.done and d.remind_on <= ${addDays(now.slice(0, 10), 1)}::date group by 1, 2 order by 1`,
  )
  for (const { userId, timeZone: own, first } of people) {
    const zone = own ?? timeZone
    if (localTimeOf(now, zone) >= first + reminderTime) await remind(deps, userId, zone)
  }
}

async function remind(deps: AssignmentEmailDeps, userId: string, timeZone: string): Promise<void> {
  const { config, database, clock } = deps
  const now = clock()
  const today = localTimeOf(now.toISOString(), timeZone).slice(0, 10)
  await database.db.transaction(async (tx) => {
    await tx.select().from(deadline).where(eq(deadline.userId, userId)).orderBy(deadline.id).for('update')
    const rows = await listDeadlines(tx, userId)
    const due = rows.flatMap(({ deadline: row, locationName }) =>
      !row.done && row.remindOn !== null && row.remindOn <= today ? [{ ...row, locationName }] : [],
    )
    for (const row of due) {
      await tx
        .update(deadline)
        .set({ remindOn: reminderAfter(today, row) })
        .where(and(eq(deadline.id, row.id)))
    }
    // A server that was off reminds no one of a day that is over.
    const present = due.filter(({ dueOn }) => dueOn >= today)
    const [first] = present
    const lastDay = present.at(-1)?.dueOn
    if (!first || !lastDay || !hasAccess(config, await readAccessFacts(tx, userId), now)) return
    const when = daysLeftWords(first.dueOn, today)
    const expiresAt = instantOf(`${addDays(lastDay, 1)}T00:00`, timeZone)
    await sendPush(deps, tx, userId, 'deadline', {
      title: `${first.title}, ${when}`,
      body: first.locationName ?? 'Open your deadlines',
      path: '/portal/deadlines',
      tag: `deadline ${first.id}`,
      expiresAt: new Date(expiresAt),
    })
    const recipient = await findRecipient(tx, userId, now)
    if (!recipient) return
    const kinds = new Map((await readDeadlineKinds(tx)).map((kind) => [kind.id, kind]))
    const email = deadlineReminderEmail({
      ...addressed(deps, recipient, timeZone),
      when,
      deadlines: present.map((row) => ({ ...row, prepare: kinds.get(row.kind)?.prepare ?? null })),
    })
    await deps.enqueue(tx, emailJob, { ...email, expiresAt })
  })
}
