import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { queryRows } from '#server/db/query-rows.ts'
import { isOnHold } from '#server/db/restore-hold.ts'
import { readSendingSettings } from '#server/features/publishing/sending-settings/sending-settings.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { assignmentSummaryEmail, type SummarizedAssignment } from '#server/mail/texts/assignment-emails.ts'
import { countAssignments } from '#shared/domain/assignments.ts'
import { dueSummary } from '#shared/domain/due-reminder.ts'
import { type AssignmentEmailDeps, addressed, findRecipient, recipientSql, withActiveTeam } from './recipients.ts'

const weekMs = 7 * 24 * 60 * 60 * 1000

/** Assignments to others: what people assign to themselves isn't in their summary. */
const isForOthers = sql`a.created_by is not null and a.assignee_id is distinct from a.created_by and not a.removed`

/**
 * On Monday mornings, emails those who assigned something what is open and what was done in the last week. The row with
 * the week is written in the transaction that enqueues the email.
 */
export async function sendSummaries(deps: AssignmentEmailDeps): Promise<void> {
  const { db } = deps.database
  const now = deps.clock()
  // It is Monday somewhere from Sunday until Tuesday, UTC.
  if (now.getUTCDay() > 2 || (await isOnHold(db))) return
  const { timeZone } = await readSendingSettings(db)
  const { joins, condition } = recipientSql(now)
  const people = await queryRows<{ id: string; timeZone: string | null; weekOf: string | null }>(
    db,
    sql`select u.id, prefs.time_zone as "timeZone", sent.week_of::text as "weekOf"
      from auth.users u ${joins} left join assignment_summary sent on sent.user_id = u.id
      where ${condition} and exists (select 1 from team_assignment a where a.created_by = u.id and ${isForOthers}
        and (not a.done or a.checked_at > ${new Date(now.getTime() - 2 * weekMs).toISOString()}::timestamptz))
      order by u.id`,
  )
  for (const { id, timeZone: own, weekOf } of people) {
    const due = dueSummary(own ?? timeZone, now)
    if (due && (weekOf === null || weekOf < due.weekOf)) await summarize(deps, id, own ?? timeZone, due)
  }
}

async function summarize(
  deps: AssignmentEmailDeps,
  userId: string,
  timeZone: string,
  { weekOf, at }: { weekOf: string; at: Date },
): Promise<void> {
  const now = deps.clock()
  await deps.database.db.transaction(async (tx) => {
    const recipient = await findRecipient(tx, userId, now)
    if (!recipient) return
    const claimed = await queryRows(
      tx,
      sql`insert into assignment_summary (user_id, week_of, sent_at)
        values (${userId}::uuid, ${weekOf}::date, ${now.toISOString()}::timestamptz)
        on conflict (user_id) do update set week_of = excluded.week_of, sent_at = excluded.sent_at
          where assignment_summary.week_of < excluded.week_of
        returning user_id`,
    )
    if (claimed.length === 0) return
    const assignments = await withActiveTeam(deps, tx, await readAssignedBy(tx, userId, at))
    if (assignments.length === 0) return
    const about = addressed(deps, recipient, timeZone)
    const counts = countAssignments(assignments, about.today)
    await deps.enqueue(tx, emailJob, assignmentSummaryEmail({ ...about, assignments, counts }))
  })
}

/** Reads what the person had assigned to others in their present team by a moment: open, or done in the week before. */
const readAssignedBy = (tx: Tx, userId: string, at: Date) =>
  queryRows<SummarizedAssignment & { ownerId: string }>(
    tx,
    sql`
    select a.owner_id as "ownerId", i.title, case when i.removed_at is null then i.path end as path,
      a.due_on::text as "dueOn", a.done, coalesce(b.name, assignee.email, '') as "toName"
    from team_assignment a
    join content_items i on i.kind = a.kind and i.id = a.item_id
    left join business_location b on b.id = a.location_id
    left join auth.users assignee on assignee.id = a.assignee_id
    where a.created_by = ${userId}::uuid and ${isForOthers} and a.created_at < ${at.toISOString()}::timestamptz
      and (not a.done or a.checked_at > ${new Date(at.getTime() - weekMs).toISOString()}::timestamptz)
      and (a.owner_id = a.created_by or exists (
        select 1 from team_seat s where s.user_id = a.created_by and s.owner_id = a.owner_id))
    order by a.done, a.due_on nulls last, a.created_at, a.id`,
  )
