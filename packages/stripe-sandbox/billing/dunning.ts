import { day } from './dates.ts'

/** Days from a failed try to the next one; after the last the subscription is given up. */
const retryDays = [3, 5, 7]

/** When a failed invoice is tried again, in seconds, or null once the tries are used up. */
export function nextAttempt(attemptCount: number, failedAt: number): number | null {
  const wait = retryDays[attemptCount - 1]
  return wait === undefined ? null : failedAt + wait * day
}

/** A renewal's invoice stays a draft for this long, in seconds, so that it can still be changed. */
export const draftSeconds = 3600
