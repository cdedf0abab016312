import { and, eq, lte } from 'drizzle-orm'
import type { Db } from '#server/db/database.ts'
import type { Cohort, CohortReport } from '#shared/contracts/billing/admin-money.ts'
import type { CohortTotal } from './cohort-totals.ts'
import { monthOf } from './monthly-totals.ts'
import { cohortTotals } from './revenue-totals.ts'

const cohortsShown = 24

/** Retention and payments by the month in which customers started, from the cohort totals. */
export async function readCohorts(db: Db, now: Date, currency: string): Promise<CohortReport> {
  const thisMonth = monthOf(now)
  const all = cohortTotals(db)
  const rows = await db
    .select()
    .from(all)
    .where(and(eq(all.currency, currency), lte(all.month, thisMonth)))
  const cohorts = cohortsOf(rows, thisMonth)
  const sum = (of: (cohort: Cohort) => number) => cohorts.reduce((total, cohort) => total + of(cohort), 0)
  return {
    currency,
    cohorts: cohorts.slice(0, cohortsShown),
    total: {
      customers: sum(({ started }) => started),
      remaining: sum(({ remaining }) => remaining.at(-1) ?? 0),
      paidCents: sum(({ paidCents }) => paidCents),
      refundedCents: sum(({ refundedCents }) => refundedCents),
    },
  }
}

/**
 * Cohorts from their totals, newest first. A customer who started and left within one month counts as started, so the
 * number of starts is kept in the cohort's own month.
 */
export function cohortsOf(rows: readonly CohortTotal[], thisMonth: string): Cohort[] {
  const byCohort = Map.groupBy(rows, ({ cohort }) => cohort)
  return [...byCohort.entries()]
    .toSorted(([a], [b]) => (a < b ? 1 : -1))
    .map(([cohort, totals]) => {
      let remaining = 0
      return {
        month: cohort.slice(0, 7),
        started: totals.reduce((sum, { started }) => sum + started, 0),
        remaining: monthsBetween(cohort, thisMonth).map((month) => {
          remaining += totals.find((total) => total.month === month)?.customers ?? 0
          return remaining
        }),
        paidCents: totals.reduce((sum, { paidCents }) => sum + paidCents, 0),
        refundedCents: totals.reduce((sum, { refundedCents }) => sum + refundedCents, 0),
      }
    })
}

/** First days of the months from one to another, both included. */
function monthsBetween(from: string, to: string): string[] {
  const months: string[] = []
  for (let at = new Date(`${from}T00:00:00Z`); monthOf(at) <= to; at.setUTCMonth(at.getUTCMonth() + 1)) {
    months.push(monthOf(at))
  }
  return months
}
