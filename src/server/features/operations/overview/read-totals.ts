import { sql } from 'drizzle-orm'
import { type Db, queryRows } from '#server/db/database.ts'
import { counters, users } from '#server/db/schema/index.ts'
import { isPausedSql } from '#server/features/publishing/segments/filter-sql.ts'
import { hourMs } from '#shared/domain/durations.ts'

const weekMs = 7 * 24 * hourMs

/**
 * Totals of the dashboard, from counters that triggers maintain. "New this week" is exact: full hours come from hourly
 * counters, and the partial first hour is counted from rows.
 */
export async function readTotals(db: Db, now: Date) {
  const weekAgo = new Date(now.getTime() - weekMs)
  const firstFullHour = new Date(Math.ceil(weekAgo.getTime() / hourMs) * hourMs)
  const [totals] = await db
    .select({
      total_users: sql<number>`coalesce(sum(${counters.value}) filter (where ${counters.name} = 'users_total'), 0)::int`,
      active_subscriptions: sql<number>`coalesce(sum(${counters.value}) filter (where ${counters.name} = 'subscriptions_live'), 0)::int`,
      new_this_week: sql<number>`(coalesce(sum(${counters.value}) filter (where ${counters.name} = 'users_by_hour'), 0)
        + (select count(*) from ${users} where ${users.createdAt} >= ${weekAgo.toISOString()}::timestamptz
             and ${users.createdAt} < ${firstFullHour.toISOString()}::timestamptz))::int`,
    })
    .from(counters)
    .where(
      sql`(${counters.name} in ('users_total', 'subscriptions_live') and ${counters.bucket} = 'epoch'::timestamptz)
        or (${counters.name} = 'users_by_hour' and ${counters.bucket} >= ${firstFullHour.toISOString()}::timestamptz)`,
    )
  return totals ?? { total_users: 0, active_subscriptions: 0, new_this_week: 0 }
}

/** Members whose plan is paused now, of those that count as subscriptions. Reads the rows with a pause from an index. */
export async function readPausedCount(db: Db, now: Date): Promise<number> {
  const [row] = await queryRows<{ count: number }>(
    db,
    sql`select count(*)::int as count from member_facts f where ${isPausedSql(now)}`,
  )
  return row?.count ?? 0
}
