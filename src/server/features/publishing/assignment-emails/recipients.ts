import { type SQL, sql } from 'drizzle-orm'
import { queryRows, type Tx } from '#server/db/database.ts'
import type { Deps } from '#server/feature.ts'
import { hasActiveTeamPlan } from '#server/features/billing/teams/team-queries.ts'
import { eligibilitySql } from '#server/features/publishing/deliverability/eligibility-sql.ts'
import { unsubscribeLinks } from '#server/features/publishing/email-preferences/email-links.ts'
import type { EmailedAssignment } from '#server/mail/texts/assignment-emails.ts'
import { localTimeOf } from '#shared/domain/zoned-time.ts'

export type AssignmentEmailDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'enqueue' | 'secrets'>

/** Rows (assignment_id, user_id) of who has to do what: open, and for people who are on the team now. */
export const openAssignees = sql`
  select a.id as assignment_id, r.user_id
  from team_assignment a
  join lateral (
    select a.assignee_id as user_id where a.assignee_id is not null
    union
    select l.user_id from team_seat_location l
      join business_location b on b.id = l.location_id and b.user_id = a.owner_id
      where l.location_id = a.location_id
  ) r on true
  where not a.done and not a.removed and (r.user_id = a.owner_id
    or exists (select 1 from team_seat s where s.user_id = r.user_id and s.owner_id = a.owner_id))`

type Kind = 'assignment' | 'reply'

/** Joins and a condition for `u`, the alias of `auth.users`: people who get emails of that kind. */
export function recipientSql(now: Date, kind: Kind = 'assignment'): { joins: SQL; condition: SQL } {
  const { joins, cause } = eligibilitySql(kind, { user: sql`u`, email: sql`u.email`, now })
  return { joins, condition: sql`u.email is not null and not u.is_anonymous and (${cause}) is null` }
}

export type Recipient = { userId: string; email: string; timeZone: string | null }

/** Null if the person gets no emails of that kind. */
export async function findRecipient(tx: Tx, userId: string, now: Date, kind?: Kind): Promise<Recipient | null> {
  const { joins, condition } = recipientSql(now, kind)
  const [row] = await queryRows<Recipient>(
    tx,
    sql`select u.id as "userId", u.email, prefs.time_zone as "timeZone" from auth.users u ${joins}
      where u.id = ${userId}::uuid and ${condition}`,
  )
  return row ?? null
}

/** Data that every email about assignments needs. */
export const addressed = (deps: AssignmentEmailDeps, { userId, email }: Recipient, timeZone: string) => ({
  to: email,
  config: deps.config,
  today: localTimeOf(deps.clock().toISOString(), timeZone).slice(0, 10),
  unsubscribe: unsubscribeLinks(deps, userId, 'assignments'),
})

/** The rows whose team has an active plan. */
export async function withActiveTeam<Row extends { ownerId: string }>(
  deps: AssignmentEmailDeps,
  tx: Tx,
  rows: readonly Row[],
): Promise<Row[]> {
  const active = new Set<string>()
  for (const ownerId of new Set(rows.map((row) => row.ownerId))) {
    if (await hasActiveTeamPlan(deps, tx, ownerId)) active.add(ownerId)
  }
  return rows.filter(({ ownerId }) => active.has(ownerId))
}

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
    select a.id, a.owner_id as "ownerId", coalesce(nullif(a.title, ''), i.title) as title, case when i.removed_at is null then i.path end as path,
      a.due_on::text as "dueOn", a.note, b.name as "locationName", coalesce(author.email, '') as "from"
    from (${openAssignees}) o
    join team_assignment a on a.id = o.assignment_id
    left join content_items i on i.kind = a.kind and i.id = a.item_id
    left join business_location b on b.id = a.location_id
    left join auth.users author on author.id = a.created_by
    where o.user_id = ${userId}::uuid and a.id = any(${given})
    order by a.due_on nulls last, a.created_at, a.id`,
  )
}
