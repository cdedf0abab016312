import type { Interval, Period, Recurring } from '../types.ts'

export const day = 86400

const steps: { [interval in Interval]: (at: Date, count: number) => number } = {
  day: (at, count) => at.getTime() + count * day * 1000,
  week: (at, count) => at.getTime() + count * 7 * day * 1000,
  month: (at, count) => addMonths(at, count),
  year: (at, count) => addMonths(at, count * 12),
}

/** Adds months in UTC. Jan 31 plus one month is the last day of February. */
function addMonths(at: Date, count: number): number {
  const month = at.getUTCMonth() + count
  const lastDay = new Date(Date.UTC(at.getUTCFullYear(), month + 1, 0)).getUTCDate()
  const result = new Date(at.getTime())
  result.setUTCDate(1)
  result.setUTCMonth(month)
  result.setUTCDate(Math.min(at.getUTCDate(), lastDay))
  return result.getTime()
}

/** `count` intervals after `anchor`, both in seconds. */
export function addIntervals(anchor: number, recurring: Recurring, count: number): number {
  const step = steps[recurring.interval]
  return Math.round(step(new Date(anchor * 1000), count * recurring.interval_count) / 1000)
}

/**
 * The billing period that starts at or contains `time`, counted from the anchor rather than the previous date, so that
 * Jan 31 is followed by Feb 28 and Mar 31.
 */
export function periodAt(anchor: number, recurring: Recurring, time: number): Period {
  let count = 0
  while (addIntervals(anchor, recurring, count + 1) <= time) count += 1
  return { start: addIntervals(anchor, recurring, count), end: addIntervals(anchor, recurring, count + 1) }
}

/** Days between a failed attempt and the next one. After the last, collection stops. */
const retryDays = [3, 5, 7]

/** When a failed invoice is retried, in seconds, or null after the last attempt. */
export function nextAttempt(attemptCount: number, failedAt: number): number | null {
  const wait = retryDays[attemptCount - 1]
  return wait === undefined ? null : failedAt + wait * day
}

/** How long a renewal's invoice stays an editable draft, in seconds. */
export const draftSeconds = 3600
