import { sql } from 'drizzle-orm'
import { queryRows, type Tx } from '#server/db/database.ts'
import { isOnHold } from '#server/db/restore-hold.ts'
import { readSendingSettings } from '#server/features/publishing/sending-settings/sending-settings.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import {
  assignmentReminderEmail,
  assignmentSummaryEmail,
  type SummarizedAssignment,
} from '#server/mail/texts/assignment-emails.ts'
import { countAssignments } from '#shared/domain/assignments.ts'
import { addDays } from '#shared/domain/due-day.ts'
import { instantOf } from '#shared/domain/zoned-time.ts'
import { dueReminder, dueSummary, type ReminderKind } from './due-reminder.ts'
import {
  type AssignmentEmailDeps,
  addressed,
  findRecipient,
  openAssignees,
  readOpen,
  recipientSql,
  withActiveTeam,
} from './recipients.ts'

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
    select a.owner_id as "ownerId", coalesce(nullif(a.title, ''), i.title) as title, case when i.removed_at is null then i.path end as path,
      a.due_on::text as "dueOn", a.done, coalesce(b.name, assignee.email, '') as "toName"
    from team_assignment a
    left join content_items i on i.kind = a.kind and i.id = a.item_id
    left join business_location b on b.id = a.location_id
    left join auth.users assignee on assignee.id = a.assignee_id
    where a.created_by = ${userId}::uuid and ${isForOthers} and a.created_at < ${at.toISOString()}::timestamptz
      and (not a.done or a.checked_at > ${new Date(at.getTime() - weekMs).toISOString()}::timestamptz)
      and (a.owner_id = a.created_by or exists (
        select 1 from team_seat s where s.user_id = a.created_by and s.owner_id = a.owner_id))
    order by a.done, a.due_on nulls last, a.created_at, a.id`,
  )

type Candidate = {
  id: string
  userId: string
  dueOn: string
  timeZone: string | null
  /** When the person was told, which is when it was assigned unless they assigned it to themselves. */
  knownSince: Date | string
}
type Due = Candidate & { kind: ReminderKind; zone: string }

/**
 * Reminds people two days before a due date and on its day, from 8 AM in their time zone, with one email for all that is
 * due. A row for each assignment, person, kind and date is written in the transaction that enqueues the email, so that
 * nodes, crashes and a clock that is set back don't repeat it.
 */
export async function sendReminders(deps: AssignmentEmailDeps): Promise<void> {
  const { db } = deps.database
  if (await isOnHold(db)) return
  const { timeZone } = await readSendingSettings(db)
  const byUser = Map.groupBy(await findDue(deps, timeZone), ({ userId }) => userId)
  for (const [userId, due] of byUser) await remind(deps, userId, due)
}

async function findDue({ database, clock }: AssignmentEmailDeps, publicationZone: string): Promise<Due[]> {
  const now = clock()
  const today = now.toISOString().slice(0, 10)
  const { joins, condition } = recipientSql(now)
  // One day more than two on both sides, for all time zones.
  const candidates = await queryRows<Candidate>(
    database.db,
    sql`
    select a.id, u.id as "userId", a.due_on::text as "dueOn", prefs.time_zone as "timeZone",
      greatest(a.created_at, n.created_at) as "knownSince"
    from (${openAssignees}) o
    join team_assignment a on a.id = o.assignment_id
    join auth.users u on u.id = o.user_id ${joins}
    left join assignment_notice n on n.assignment_id = a.id and n.user_id = u.id
    where a.due_on between ${addDays(today, -1)}::date and ${addDays(today, 3)}::date and ${condition}
    order by a.due_on, a.id`,
  )
  return candidates.flatMap((candidate) => {
    const zone = candidate.timeZone ?? publicationZone
    const kind = dueReminder({ ...candidate, knownSince: new Date(candidate.knownSince) }, zone, now)
    return kind ? [{ ...candidate, kind, zone }] : []
  })
}

async function remind(deps: AssignmentEmailDeps, userId: string, due: readonly Due[]): Promise<void> {
  const now = deps.clock()
  await deps.database.db.transaction(async (tx) => {
    const recipient = await findRecipient(tx, userId, now)
    const [first] = due
    if (!recipient || !first) return
    const ids = due.map(({ id }) => id)
    const open = await withActiveTeam(deps, tx, await readOpen(tx, userId, ids))
    // The date may have changed since.
    const remaining = open.filter((each) => due.some(({ id, dueOn }) => id === each.id && dueOn === each.dueOn))
    const kindOf = new Map(due.map(({ id, kind }) => [id, kind]))
    if (remaining.length === 0) return
    const rows = remaining.map(({ id, dueOn }) => ({ id, dueOn, kind: kindOf.get(id) }))
    const claimed = await queryRows<{ id: string }>(
      tx,
      sql`insert into assignment_reminder (assignment_id, user_id, kind, due_on, sent_at)
        select r.id, ${userId}::uuid, r.kind, r."dueOn", ${now.toISOString()}::timestamptz
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id uuid, kind text, "dueOn" date)
        order by r.id on conflict do nothing returning assignment_id as id`,
    )
    const assignments = remaining.filter(({ id }) => claimed.some((each) => each.id === id))
    if (assignments.length === 0) return
    const email = assignmentReminderEmail({ ...addressed(deps, recipient, first.zone), assignments })
    // Late mail servers don't remind anyone of a day that is over.
    const lastDay =
      assignments
        .map(({ dueOn }) => dueOn ?? '')
        .toSorted()
        .at(-1) ?? ''
    await deps.enqueue(tx, emailJob, { ...email, expiresAt: instantOf(`${addDays(lastDay, 1)}T00:00`, first.zone) })
  })
}
