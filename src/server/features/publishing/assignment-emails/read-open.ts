import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { queryRows } from '#server/db/query-rows.ts'
import type { EmailedAssignment } from '#server/mail/texts/assignment-emails.ts'
import { openAssignees } from './recipients.ts'

export type OpenAssignment = EmailedAssignment & { id: string; ownerId: string }

/**
 * Those of the assignments that the person still has to do, in the order of their due dates. Locks them until the end of
 * the transaction, so that none is checked off before its email is enqueued.
 */
export async function readOpen(tx: Tx, userId: string, ids: readonly string[]): Promise<OpenAssignment[]> {
  if (ids.length === 0) return []
  const given = sql`${sql.param(`{${ids.join(',')}}`)}::uuid[]`
  await tx.execute(sql`select 1 from team_assignment where id = any(${given}) order by id for share`)
  return queryRows<OpenAssignment>(
    tx,
    sql`
    select a.id, a.owner_id as "ownerId", i.title, case when i.removed_at is null then i.path end as path,
      a.due_on::text as "dueOn", a.note, b.name as "locationName", coalesce(author.email, '') as "from"
    from (${openAssignees}) o
    join team_assignment a on a.id = o.assignment_id
    join content_items i on i.kind = a.kind and i.id = a.item_id
    left join business_location b on b.id = a.location_id
    left join auth.users author on author.id = a.created_by
    where o.user_id = ${userId}::uuid and a.id = any(${given})
    order by a.due_on nulls last, a.created_at, a.id`,
  )
}
