import { sql } from 'drizzle-orm'
import { queryRows } from '#server/db/query-rows.ts'
import { isOnHold } from '#server/db/restore-hold.ts'
import { readSendingSettings } from '#server/features/publishing/sending-settings/sending-settings.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { assignmentReminderEmail } from '#server/mail/texts/assignment-emails.ts'
import { addDays } from '#shared/domain/due-day.ts'
import { dueReminder, type ReminderKind } from '#shared/domain/due-reminder.ts'
import { instantOf } from '#shared/domain/zoned-time.ts'
import {
  type AssignmentEmailDeps,
  addressed,
  findRecipient,
  openAssignees,
  readOpen,
  recipientSql,
  withActiveTeam,
} from './recipients.ts'

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
