import { sql } from 'drizzle-orm'
import { type Db, queryRows } from '#server/db/database.ts'
import { readCurrencies } from '#server/features/billing/subscriptions/revenue/read-currencies.ts'
import { readRevenueReport } from '#server/features/billing/subscriptions/revenue/read-revenue-report.ts'
import { unsubscribesSql } from '#server/features/publishing/deliverability/list-feedback.ts'
import { dayMs } from '#shared/domain/durations.ts'
import type { Publication } from '#shared/publication-defaults.ts'

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
export async function readGrowth(db: Db, now: Date) {
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
export async function readListHealth(db: Db, now: Date) {
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
export async function readMoney(db: Db, publication: Publication, now: Date) {
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
