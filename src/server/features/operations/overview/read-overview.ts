import { and, desc, eq, isNotNull, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { type Db, queryRows } from '#server/db/database.ts'
import { contentItems, tryTotals } from '#server/db/schema/index.ts'
import { readCurrencies, readRevenueReport } from '#server/features/billing/subscriptions/revenue/revenue-totals.ts'
import { readProblems } from '#server/features/operations/status/read-status.ts'
import { unsubscribesSql } from '#server/features/publishing/deliverability/list-feedback.ts'
import { listSharedNotes } from '#server/features/reader/tries/tries-report.ts'
import type { adminOverviewCall } from '#shared/contracts/operations/admin-overview.ts'
import { dayMs } from '#shared/domain/durations.ts'
import type { StaffRole } from '#shared/domain/staff-roles.ts'
import type { Publication } from '#shared/publication-defaults.ts'
import { readStuckMailings, readStuckMembers } from './read-stuck.ts'
import { readPausedCount, readTotals } from './read-totals.ts'
import { type OverviewDeps, readUpcoming } from './read-upcoming.ts'

const weeksShown = 12
const comparedDays = 30

/** Midnight (UTC) after today, and before the first week. */
function spanOf(now: Date) {
  const end = Math.floor(now.getTime() / dayMs) * dayMs + dayMs
  return { end, start: new Date(end - weeksShown * 7 * dayMs) }
}

type DayRow = { day: string | Date; name: string; value: string | number }

/** Sums of daily values by week, and over the last 30 days and the 30 before. */
function summarize<Names extends string>(rows: readonly DayRow[], names: readonly Names[], end: number) {
  const values = rows.map(({ day, name, value }) => ({ at: new Date(day).getTime(), name, value: Number(value) }))
  const sumOf = (from: number, to: number) =>
    Object.fromEntries(
      names.map((wanted) => [
        wanted,
        values.reduce((sum, { at, name, value }) => sum + (name === wanted && at >= from && at < to ? value : 0), 0),
      ]),
    ) as Record<Names, number>
  const lastStart = end - comparedDays * dayMs
  return {
    since: new Date(lastStart).toISOString().slice(0, 10),
    weeks: Array.from({ length: weeksShown }, (_, index) => {
      const from = end - (weeksShown - index) * 7 * dayMs
      return { from: new Date(from).toISOString().slice(0, 10), ...sumOf(from, from + 7 * dayMs) }
    }),
    last30Days: sumOf(lastStart, end),
    previous30Days: sumOf(lastStart - comparedDays * dayMs, lastStart),
  }
}

/** Sign-ups of accounts that still exist, from the hourly counters. */
async function readGrowth(db: Db, now: Date) {
  const { end, start } = spanOf(now)
  const rows = await queryRows<DayRow>(
    db,
    sql`select date_trunc('day', bucket, 'UTC') as day, 'signUps' as name, sum(value) as value from counters
      where name = 'users_by_hour' and bucket >= ${start.toISOString()}::timestamptz group by 1`,
  )
  const { since, weeks, last30Days, previous30Days } = summarize(rows, ['signUps'], end)
  return { since, weeks, last30Days: last30Days.signUps, previous30Days: previous30Days.signUps }
}

/** Results of mailings, from their counts, and readers who turned an email or a newsletter off and didn't return. */
async function readListHealth(db: Db, now: Date) {
  const { end, start } = spanOf(now)
  const since = sql`${start.toISOString()}::timestamptz`
  const rows = await queryRows<DayRow>(
    db,
    sql`select date_trunc('day', m.started_at, 'UTC') as day, n.name, sum(c.value) as value
      from mailings m join mailing_counts c on c.mailing_id = m.id
      join (values ('submitted', 'sent'), ('hard_bounces', 'bounces'), ('soft_bounces', 'bounces'),
        ('complaints', 'complaints')) as n (counted, name) on n.counted = c.name
      where m.started_at >= ${since} group by 1, 2
      union all
      select date_trunc('day', at, 'UTC'), 'unsubscribes', count(*) from (${unsubscribesSql(start)}) u group by 1`,
  )
  return summarize(rows, ['sent', 'bounces', 'complaints', 'unsubscribes'], end)
}

/** One entry for each currency. */
async function readMoney(db: Db, publication: Publication, now: Date) {
  const thisMonth = now.toISOString().slice(0, 7)
  const currencies = await readCurrencies(db, publication)
  const reports = await Promise.all(
    currencies.map((currency) => readRevenueReport(db, publication, now, thisMonth, currency)),
  )
  return reports.map(({ currency, months }) => ({
    currency,
    months: months.map(({ month, total }) => ({
      month,
      mrrCents: total.mrrCents,
      customers: total.customers,
      newCustomers: total.new.count + total.returned.count,
      lostCustomers: total.lost.count,
      paidCents: total.paidCents,
    })),
  }))
}

const maxNotes = 3
const maxItems = 3

/** Items that readers tried lately, with their answers. Totals change by at least five answers at a time. */
async function readReaders(db: Db) {
  const [notes, items] = await Promise.all([
    listSharedNotes(db, { limit: maxNotes }),
    db
      .select({
        totals: tryTotals,
        title: contentItems.title,
        path: contentItems.path,
        removedAt: contentItems.removedAt,
      })
      .from(tryTotals)
      .innerJoin(contentItems, and(eq(contentItems.kind, tryTotals.kind), eq(contentItems.id, tryTotals.itemId)))
      .where(and(isNotNull(tryTotals.countedAt), isNotNull(tryTotals.breakdown)))
      .orderBy(desc(tryTotals.countedAt), tryTotals.kind, tryTotals.itemId)
      .limit(maxItems),
  ])
  return {
    notes: notes.items,
    items: items.flatMap(({ totals, title, path, removedAt }) =>
      totals.countedAt
        ? [
            {
              kind: totals.kind,
              id: totals.itemId,
              title,
              path: removedAt ? null : path,
              totals,
              countedAt: totals.countedAt.toISOString(),
            },
          ]
        : [],
    ),
  }
}

type Overview = z.input<typeof adminOverviewCall.output>

/** Who sees which part. Nothing of the other parts is read. */
const rolesOf: Record<keyof Overview, readonly StaffRole[]> = {
  totals: ['owner', 'support', 'viewer'],
  upcoming: ['owner', 'editor'],
  stuckMembers: ['owner', 'support'],
  stuckMailings: ['owner', 'editor'],
  readers: ['owner', 'editor'],
  growth: ['owner', 'support', 'viewer'],
  listHealth: ['owner', 'editor', 'viewer'],
  problems: ['owner', 'editor', 'support'],
  money: ['owner', 'viewer'],
}

export async function readOverview(deps: OverviewDeps, role: StaffRole | null): Promise<Overview> {
  const { db } = deps.database
  const now = deps.clock()
  const forRole = <Part>(name: keyof Overview, read: () => Promise<Part>): Promise<Part | null> =>
    role && rolesOf[name].includes(role) ? read() : Promise.resolve(null)
  const [totals, upcoming, stuckMembers, stuckMailings, readers, growth, listHealth, problems, money] =
    await Promise.all([
      forRole('totals', async () => {
        const [{ total_users, new_this_week, active_subscriptions }, paused] = await Promise.all([
          readTotals(db, now),
          readPausedCount(db, now),
        ])
        return {
          users: total_users,
          newThisWeek: new_this_week,
          activeSubscriptions: active_subscriptions,
          paused,
        }
      }),
      forRole('upcoming', () => readUpcoming(deps, now)),
      forRole('stuckMembers', () => readStuckMembers(db, now)),
      forRole('stuckMailings', () => readStuckMailings(db, now)),
      forRole('readers', () => readReaders(db)),
      forRole('growth', () => readGrowth(db, now)),
      forRole('listHealth', () => readListHealth(db, now)),
      forRole('problems', () => readProblems(deps)),
      forRole('money', () => readMoney(db, deps.config.settings.publication, now)),
    ])
  return { totals, upcoming, stuckMembers, stuckMailings, readers, growth, listHealth, problems, money }
}
