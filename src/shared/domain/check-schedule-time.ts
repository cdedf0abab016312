import { dayMs } from './durations.ts'

/** A later date is more likely a typo in the year than intended. */
const farthestDays = 366

/** The reason a document can't be published at an instant, as a sentence; null if it can. */
export function problemOfPublishTime(at: Date, now: Date): string | null {
  if (at <= now) return 'That time has passed. Choose a later one, or publish now.'
  return isTooFar(at, now) ? tooFar : null
}

const isTooFar = (at: Date, now: Date) => at.getTime() > now.getTime() + farthestDays * dayMs
const tooFar = 'That’s more than a year away. Choose an earlier day.'

/** The reason a mailing can't be scheduled for an instant, as a sentence; null if it can. */
export function problemOfSchedule(at: Date, now: Date): string | null {
  if (at <= now) return 'That time has passed. Choose a later one, or send it now.'
  return isTooFar(at, now) ? tooFar : null
}
