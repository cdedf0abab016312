import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Db, queryRows } from '#server/db/database.ts'
import { decodeCursor, pageOf } from '#server/http/cursor.ts'
import type { SeriesGroup, SeriesMembersQuery, StepGroup } from '#shared/contracts/operations/series.ts'

const pageSize = 50
const positionSchema = z.tuple([z.string().regex(/^\d{1,18}$/)])

/** The members behind a number, in the order in which they entered or were sent the email. */
export async function listSeriesMembers(db: Db, { id, of, cursor }: SeriesMembersQuery) {
  const after = cursor ? decodeCursor(cursor, positionSchema)[0] : '0'
  const source = 'stepId' in of ? sourceOfStep(id, of.stepId, of.group) : sourceOfSeries(id, of.group)
  const found = await queryRows<{ id: string; userId: string; email: string | null; at: string | Date | null }>(
    db,
    sql`select m.id::text as id, m.user_id as "userId", u.email, m.at
      from (${source}) as m left join auth.users u on u.id = m.user_id
      where m.id > ${after}::bigint order by m.id limit ${pageSize + 1}`,
  )
  const { page, nextCursor } = pageOf(found, pageSize, (last) => [last.id])
  return {
    items: page.map(({ userId, email, at }) => ({
      userId,
      email,
      at: at === null ? null : new Date(at).toISOString(),
    })),
    nextCursor,
  }
}

function sourceOfSeries(id: string, group: SeriesGroup): SQL {
  const state = group === 'inside' ? sql`due_at is not null` : sql`ended_at is not null and end_reason = ${group}`
  return sql`select id, user_id, coalesce(ended_at, entered_at) as at from series_entry
    where series_id = ${id}::uuid and ${state}`
}

function sourceOfStep(id: string, stepId: string, group: StepGroup): SQL {
  const ofDeliveries = deliveryConditions[group]
  if (ofDeliveries) {
    return sql`select d.id, d.user_id, d.changed_at as at from deliveries d
      join series_mailing s on s.mailing_id = d.mailing_id
      where s.series_id = ${id}::uuid and s.step_id = ${stepId}::uuid and ${ofDeliveries}`
  }
  const own = sql`series_id = ${id}::uuid and step_id = ${stepId}::uuid`
  if (group === 'waiting') {
    return sql`select id, user_id, due_at as at from series_entry where ${own} and due_at is not null`
  }
  if (group === 'left') {
    return sql`select id, user_id, ended_at as at from series_entry
      where ${own} and ended_at is not null and end_reason in ('left', 'condition')`
  }
  return sql`select e.id, e.user_id, r.at from series_step_result r join series_entry e on e.id = r.entry_id
    where r.step_id = ${stepId}::uuid and r.outcome = ${group} and e.series_id = ${id}::uuid`
}

const deliveryConditions: Partial<Record<StepGroup, SQL>> = {
  sent: sql`d.status = 'submitted'`,
  pending: sql`d.status in ('pending', 'sending')`,
  not_sent: sql`d.status in ('suppressed', 'failed', 'stopped')`,
  unknown: sql`d.status = 'unknown'`,
  opened: sql`d.opened_at is not null`,
  clicked: sql`d.clicked_at is not null`,
  unsubscribed: sql`d.unsubscribed_at is not null`,
}
