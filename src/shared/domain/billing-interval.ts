import { addMonths } from './add-months.ts'
import { dayMs } from './durations.ts'

/** The fewest and most of each between two payments: a week, as access continues for one without payment, to Stripe's three years. */
export const intervalCounts = { day: [7, 1095], week: [1, 156], month: [1, 36], year: [1, 3] } as const
export type IntervalUnit = keyof typeof intervalCounts
export const intervalUnits = Object.keys(intervalCounts) as [IntervalUnit, ...IntervalUnit[]]

/** How often something is paid. `intervalCount` is absent for 1. */
export type BillingInterval = { interval: string; intervalCount?: number | undefined }

const perYear: Readonly<Record<string, number>> = { day: 365, week: 52, month: 12, year: 1 }
const days: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30, year: 365 }

/** Payments per year, such as 4 for a quarterly price. Counts a year as 52 weeks or 365 days. NaN for an unknown interval. */
export const paymentsPerYear = ({ interval, intervalCount = 1 }: BillingInterval): number =>
  (perYear[interval] ?? Number.NaN) / intervalCount

/** About how long a period is. A month counts as 30 days. */
export const periodDays = ({ interval, intervalCount = 1 }: BillingInterval): number =>
  (days[interval] ?? 30) * intervalCount

/** Members are emailed before each renewal of plans with periods of half a year or more. */
export const longPeriodDays = 180

/** "month", "3 months" */
export const periodText = ({ interval, intervalCount = 1 }: BillingInterval): string =>
  intervalCount === 1 ? interval : `${intervalCount} ${interval}s`

/** "per month", "every 3 months", or "once"; also for a text such as "3 months". */
export const perPeriod = (every: BillingInterval): string =>
  every.interval === 'once' ? 'once' : `${/^\d/.test(periodText(every)) ? 'every' : 'per'} ${periodText(every)}`

/** The end of that many periods, as Stripe counts: months from the same day, or from the last day of a shorter month. */
export function addPeriods(from: Date, { interval, intervalCount = 1 }: BillingInterval, periods: number): Date {
  const count = intervalCount * periods
  if (interval === 'day' || interval === 'week') return new Date(from.getTime() + (days[interval] ?? 1) * count * dayMs)
  return addMonths(from, interval === 'year' ? count * 12 : count)
}
