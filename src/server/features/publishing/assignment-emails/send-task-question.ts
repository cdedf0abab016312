import { sql } from 'drizzle-orm'
import { queryRows } from '#server/db/database.ts'
import { isOnHold } from '#server/db/restore-hold.ts'
import { readSendingSettings } from '#server/features/publishing/sending-settings/sending-settings.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { taskQuestionEmail } from '#server/mail/texts/assignment-emails.ts'
import { type AssignmentEmailDeps, addressed, findRecipient, withActiveTeam } from './recipients.ts'

type Question = { ownerId: string; title: string; where: string; name: string; text: string }

/** Emails the owner what a crew asked, unless they turned emails about assignments off. */
export async function sendTaskQuestion(deps: AssignmentEmailDeps, answerId: string): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    if (await isOnHold(tx)) return
    const asked = await queryRows<Question>(
      tx,
      sql`select a.owner_id as "ownerId", coalesce(nullif(a.title, ''), i.title, '') as title, q.name, q.text,
          coalesce(b.name, l.crew, '') as "where"
        from task_answer q join team_assignment a on a.id = q.assignment_id
        left join task_link l on l.assignment_id = a.id
        left join content_items i on i.kind = a.kind and i.id = a.item_id
        left join business_location b on b.id = a.location_id
        where q.id = ${answerId}::uuid`,
    )
    const [question] = await withActiveTeam(deps, tx, asked)
    const recipient = question && (await findRecipient(tx, question.ownerId, deps.clock()))
    if (!recipient) return
    const timeZone = recipient.timeZone ?? (await readSendingSettings(tx)).timeZone
    await deps.enqueue(tx, emailJob, taskQuestionEmail({ ...addressed(deps, recipient, timeZone), question }))
  })
}
