import { sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { Db } from '#server/db/database.ts'
import {
  revenueCohortTotal,
  revenueCurrencyCohort,
  revenueCurrencyMonth,
  revenueMonthlyTotal,
} from '#server/db/schema/index.ts'
import { mainCurrency } from '#shared/domain/plans.ts'
import type { Publication } from '#shared/publication-defaults.ts'

const dollars = sql<string>`'usd'`

/** The monthly totals of all currencies, for a `from`. */
export const monthlyTotals = (db: Db) => {
  const { month, plan, name, cents, count } = revenueMonthlyTotal
  const other = revenueCurrencyMonth
  return unionAll(
    db.select({ currency: dollars.as('currency'), month, plan, name, cents, count }).from(revenueMonthlyTotal),
    db
      .select({
        currency: other.currency,
        month: other.month,
        plan: other.plan,
        name: other.name,
        cents: other.cents,
        count: other.count,
      })
      .from(other),
  ).as('totals')
}

/** The cohort totals of all currencies, for a `from`. */
export const cohortTotals = (db: Db) => {
  const { cohort, month, started, customers, paidCents, refundedCents } = revenueCohortTotal
  const other = revenueCurrencyCohort
  return unionAll(
    db
      .select({ currency: dollars.as('currency'), cohort, month, started, customers, paidCents, refundedCents })
      .from(revenueCohortTotal),
    db
      .select({
        currency: other.currency,
        cohort: other.cohort,
        month: other.month,
        started: other.started,
        customers: other.customers,
        paidCents: other.paidCents,
        refundedCents: other.refundedCents,
      })
      .from(other),
  ).as('totals')
}

/** The currency of the plans on sale, and others that someone has paid in. */
export async function readCurrencies(db: Db, publication: Publication): Promise<string[]> {
  const main = mainCurrency(publication)
  const totals = monthlyTotals(db)
  const rows = await db.selectDistinct({ currency: totals.currency }).from(totals)
  const others = rows.map(({ currency }) => currency).filter((currency) => currency !== main)
  return [main, ...others.toSorted()]
}
