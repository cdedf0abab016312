import { addPeriods, type BillingInterval } from '#shared/domain/billing-interval.ts'
import { dayMs } from '#shared/domain/durations.ts'

type Period = BillingInterval & { currentPeriodStart: Date | null; currentPeriodEnd: Date; isTrial: boolean }

/** Renewals are this far apart at most from the dates computed here, because of leap days. */
export const renewalToleranceMs = 1.5 * dayMs

/** The first renewal at or after `from`. */
export function firstRenewal(period: Period, from: Date): Date {
  const { currentPeriodStart, currentPeriodEnd: end, interval, intervalCount = 1, isTrial } = period
  // Stripe renews on the day of the first period, or on the last day of a shorter month.
  const day = isTrial ? end.getUTCDate() : Math.max(end.getUTCDate(), currentPeriodStart?.getUTCDate() ?? 0)
  const months = interval === 'year' ? 12 * intervalCount : interval === 'month' ? intervalCount : null
  for (let count = 0; ; count += 1) {
    const later = () => (months ? addMonths(end, count * months, day) : addPeriods(end, period, count))
    const renewal = count === 0 ? end : later()
    if (renewal >= from) return renewal
  }
}

function addMonths(instant: Date, months: number, day: number): Date {
  const result = new Date(instant)
  result.setUTCDate(1)
  result.setUTCMonth(result.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(result.getUTCFullYear(), result.getUTCMonth() + 1, 0)).getUTCDate()
  result.setUTCDate(Math.min(day, lastDay))
  return result
}
