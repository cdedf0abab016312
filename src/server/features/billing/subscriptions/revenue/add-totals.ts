import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Tx } from '#server/db/database.ts'
import {
  revenueCohortTotal,
  revenueCurrencyCohort,
  revenueCurrencyMonth,
  revenueCurrencyOffer,
  revenueMonthlyTotal,
  revenueOfferTotal,
} from '#server/db/schema/index.ts'
import type { CohortTotal } from './cohort-totals.ts'
import type { MonthlyTotal } from './monthly-totals.ts'
import type { OfferTotal } from './offer-totals.ts'

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
