import type { Database } from '#server/db/database.ts'
import type { EmailQuota } from '#server/jobs/email-job.ts'
import { consumePoint, emailCounterKey, getCounter } from './rate-limit-counters.ts'

/** Account emails with the same subject to one address per day. */
const max = 20
const daySeconds = 24 * 3600

/** Final daily limit for account emails, per address and subject. Counts accepted emails, so retries count once. */
export function createEmailQuota(database: Database, clock: () => Date): EmailQuota {
  const keyOf = ({ to, subject }: { to: string; subject: string }) =>
    emailCounterKey('mails-of-day-subject', `${to.toLowerCase()}\n${subject}`)
  return {
    isLeft: async (email) => ((await getCounter(database, keyOf(email), clock()))?.points ?? 0) < max,
    count: async (email) => {
      await consumePoint(database.db, keyOf(email), daySeconds, clock())
    },
  }
}
