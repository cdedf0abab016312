import { and, eq, gte, inArray, lt, lte, max, min, type SQL, sql } from 'drizzle-orm'
import { type PgColumn, unionAll } from 'drizzle-orm/pg-core'
import type { Db, Tx } from '#server/db/database.ts'
import {
  revenueCohortTotal,
  revenueCurrencyCohort,
  revenueCurrencyMonth,
  revenueCurrencyOffer,
  revenueMonthlyTotal,
  revenueOfferTotal,
} from '#server/db/schema/index.ts'
import type { RevenueReport } from '#shared/contracts/billing/admin-billing.ts'
import { everythingOnSale, mainCurrency } from '#shared/domain/plans.ts'
import type { Publication } from '#shared/publication-defaults.ts'
import type { CohortTotal } from './cohort-totals.ts'
import { type MonthlyTotal, monthOf } from './monthly-totals.ts'
import type { OfferTotal } from './offer-totals.ts'
import { changeKinds } from './revenue-changes.ts'
import { revenueReport } from './revenue-report.ts'

const dollars = sql<string>`'usd'`

/** The monthly totals of all currencies, for a `from`. */
const monthlyTotals = (db: Db) => {
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

/** Totals in this currency have separate tables, which servers of earlier versions write too. */
const isDollars = ({ currency }: { currency: string }): boolean => currency === 'usd'

const withoutCurrency = <T extends { currency: string }>({ currency: _currency, ...rest }: T) => rest

/** Adds the inserted value to the stored one. */
const added = <K extends string>(columns: Record<K, PgColumn>): Record<K, SQL> =>
  Object.fromEntries(
    Object.entries<PgColumn>(columns).map(([key, column]) => [
      key,
      sql`${column} + ${sql.raw(`excluded.${column.name}`)}`,
    ]),
  ) as Record<K, SQL>

/** Call these last in a transaction, since they lock totals that all customers share. */
export async function addMonthlyTotals(tx: Tx, totals: readonly MonthlyTotal[]): Promise<void> {
  const dollars = totals.filter(isDollars).map(withoutCurrency)
  const others = totals.filter((one) => !isDollars(one))
  if (dollars.length > 0) {
    const { month, plan, name, cents, count } = revenueMonthlyTotal
    await tx
      .insert(revenueMonthlyTotal)
      .values(dollars)
      .onConflictDoUpdate({ target: [month, plan, name], set: added({ cents, count }) })
  }
  if (others.length > 0) {
    const { currency, month, plan, name, cents, count } = revenueCurrencyMonth
    await tx
      .insert(revenueCurrencyMonth)
      .values(others)
      .onConflictDoUpdate({ target: [currency, month, plan, name], set: added({ cents, count }) })
  }
}

export async function addCohortTotals(tx: Tx, totals: readonly CohortTotal[]): Promise<void> {
  const dollars = totals.filter(isDollars).map(withoutCurrency)
  const others = totals.filter((one) => !isDollars(one))
  if (dollars.length > 0) {
    const { cohort, month, started, customers, paidCents, refundedCents } = revenueCohortTotal
    await tx
      .insert(revenueCohortTotal)
      .values(dollars)
      .onConflictDoUpdate({
        target: [cohort, month],
        set: added({ started, customers, paidCents, refundedCents }),
      })
  }
  if (others.length > 0) {
    const { currency, cohort, month, started, customers, paidCents, refundedCents } = revenueCurrencyCohort
    await tx
      .insert(revenueCurrencyCohort)
      .values(others)
      .onConflictDoUpdate({
        target: [currency, cohort, month],
        set: added({ started, customers, paidCents, refundedCents }),
      })
  }
}

export async function addOfferTotals(tx: Tx, totals: readonly OfferTotal[]): Promise<void> {
  const dollars = totals.filter(isDollars).map(withoutCurrency)
  const others = totals.filter((one) => !isDollars(one))
  if (dollars.length > 0) {
    const { promotionCodeId, subscriptions, customers, paidCents, refundedCents, discountCents } = revenueOfferTotal
    await tx
      .insert(revenueOfferTotal)
      .values(dollars)
      .onConflictDoUpdate({
        target: promotionCodeId,
        set: added({ subscriptions, customers, paidCents, refundedCents, discountCents }),
      })
  }
  if (others.length > 0) {
    const { currency, promotionCodeId, ...figures } = revenueCurrencyOffer
    const { subscriptions, customers, paidCents, refundedCents, discountCents } = figures
    await tx
      .insert(revenueCurrencyOffer)
      .values(others)
      .onConflictDoUpdate({
        target: [promotionCodeId, currency],
        set: added({ subscriptions, customers, paidCents, refundedCents, discountCents }),
      })
  }
}

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
  const onSale = everythingOnSale(publication).map(({ key }) => key)
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
