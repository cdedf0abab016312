import { day } from './billing-periods.ts'

/** Days between a failed attempt and the next one. After the last, collection stops. */
const retryDays = [3, 5, 7]

/** When a failed invoice is retried, in seconds, or null after the last attempt. */
export function nextAttempt(attemptCount: number, failedAt: number): number | null {
  const wait = retryDays[attemptCount - 1]
  return wait === undefined ? null : failedAt + wait * day
}

/** How long a renewal's invoice stays an editable draft, in seconds. */
export const draftSeconds = 3600
