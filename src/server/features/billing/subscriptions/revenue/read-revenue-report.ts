import { and, eq, gte, inArray, lt, lte, max, min, sql } from 'drizzle-orm'
import type { Db } from '#server/db/database.ts'
import type { RevenueReport } from '#shared/contracts/billing/admin-billing.ts'
import { plansOnSale } from '#shared/domain/plans.ts'
import type { Publication } from '#shared/publication-defaults.ts'
import { monthOf } from './monthly-totals.ts'
import { monthlyTotals, readCurrencies } from './read-currencies.ts'
import { changeKinds } from './revenue-changes.ts'
import { revenueReport } from './revenue-report.ts'

const monthsShown = 12

/**
 * Reads 12 months of revenue from the monthly totals, so the cost doesn't depend on the number of customers.
 * @param until the last month, such as "2026-11"; the newest by default
 * @param wanted a currency; that of the plans on sale by default
 */
export async function readRevenueReport(
  db: Db,
  publication: Publication,
  now: Date,
  until: string | null,
  wanted: string | null = null,
): Promise<RevenueReport> {
  const onSale = plansOnSale(publication).map(({ key }) => key)
  const currencies = await readCurrencies(db, publication)
  const currency = currencies.find((one) => one === wanted) ?? currencies[0] ?? 'usd'
  const all = monthlyTotals(db)
  const { month, plan, name, cents, count } = all
  const isOwn = eq(all.currency, currency)
  const [span] = await db
    .select({ oldest: min(month), newest: max(month) })
    .from(all)
    .where(isOwn)
  const today = monthOf(now)
  const newest = span?.newest && span.newest > today ? span.newest : today
  const last = until ? `${until}-01` : newest
  const months = monthsUntil(last)
  const first = months[0] ?? last
  const totals = await db
    .select()
    .from(all)
    .where(and(isOwn, gte(month, first), lte(month, last)))
  const before = await db
    .select({
      plan,
      cents: sql<number>`sum(${cents})`.mapWith(Number),
      count: sql<number>`sum(${count})`.mapWith(Number),
    })
    .from(all)
    .where(and(isOwn, lt(month, first), inArray(name, [...changeKinds])))
    .groupBy(plan)
  return {
    currency,
    currencies,
    oldest: span?.oldest ? span.oldest.slice(0, 7) : null,
    newest: newest.slice(0, 7),
    thisMonth: today.slice(0, 7),
    months: revenueReport(onSale, months, before, totals),
  }
}

/** First days of the months up to `last`, oldest first. */
function monthsUntil(last: string): string[] {
  const end = new Date(`${last}T00:00:00Z`)
  return Array.from({ length: monthsShown }, (_, index) =>
    monthOf(new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() - monthsShown + 1 + index, 1))),
  )
}
