import { sql } from 'drizzle-orm'
import { queryRows } from '#server/db/database.ts'
import { isOnHold } from '#server/db/restore-hold.ts'
import { readSendingSettings } from '#server/features/publishing/sending-settings/sending-settings.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { assignedEmail } from '#server/mail/texts/assignment-emails.ts'
import {
  type AssignmentEmailDeps,
  addressed,
  findRecipient,
  type OpenAssignment,
  readOpen,
  withActiveTeam,
} from './recipients.ts'

/** After an email, more of the kind wait this long and then come as one. */
const groupMinutes = 10

/** A job that failed for good, or what waited for a group. Older ones are of no use anymore. */
const sendWithinDays = 2

const maxUsersPerRun = 500

/**
 * Emails a person what is waiting to be told, in one email. Claiming the rows and enqueuing the email are one transaction:
 * a second worker skips the locked rows, and after a crash they are still waiting.
 */
export async function sendAssigned(deps: AssignmentEmailDeps, userId: string): Promise<void> {
  const now = deps.clock()
  const at = sql`${now.toISOString()}::timestamptz`
  await deps.database.db.transaction(async (tx) => {
    if (await isOnHold(tx)) return
    const recent = sql`${new Date(now.getTime() - groupMinutes * 60_000).toISOString()}::timestamptz`
    const waiting = await queryRows<{ id: string }>(
      tx,
      sql`select assignment_id as id from assignment_notice n
        where n.user_id = ${userId}::uuid and n.handled_at is null and not exists (
          select 1 from assignment_notice told
          where told.user_id = n.user_id and told.sent and told.handled_at > ${recent} and told.handled_at <= ${at})
        order by assignment_id for update skip locked`,
    )
    if (waiting.length === 0) return
    const ids = waiting.map(({ id }) => id)
    const sent = await enqueueEmail(deps, tx, userId, ids)
    await tx.execute(sql`update assignment_notice
      set handled_at = ${at}, sent = assignment_id = any(${sql.param(`{${sent.map(({ id }) => id).join(',')}}`)}::uuid[])
      where user_id = ${userId}::uuid and assignment_id = any(${sql.param(`{${ids.join(',')}}`)}::uuid[])`)
  })
}

type Tx = Parameters<typeof readOpen>[0]

/** @returns what the email contains; nothing if the person gets none */
async function enqueueEmail(
  deps: AssignmentEmailDeps,
  tx: Tx,
  userId: string,
  ids: readonly string[],
): Promise<OpenAssignment[]> {
  const recipient = await findRecipient(tx, userId, deps.clock())
  if (!recipient) return []
  const assignments = await withActiveTeam(deps, tx, await readOpen(tx, userId, ids))
  if (assignments.length === 0) return []
  const timeZone = recipient.timeZone ?? (await readSendingSettings(tx)).timeZone
  await deps.enqueue(tx, emailJob, assignedEmail({ ...addressed(deps, recipient, timeZone), assignments }))
  return assignments
}

/** For people whose job is over, such as those who were told something else a moment before. */
export async function sendWaiting(deps: AssignmentEmailDeps): Promise<void> {
  const { database, clock } = deps
  const oldest = sql`${new Date(clock().getTime() - sendWithinDays * 86_400_000).toISOString()}::timestamptz`
  const people = await queryRows<{ id: string }>(
    database.db,
    sql`select distinct user_id as id from assignment_notice
      where handled_at is null and created_at > ${oldest} order by user_id limit ${maxUsersPerRun}`,
  )
  for (const { id } of people) await sendAssigned(deps, id)
}
