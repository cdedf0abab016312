import type { Database } from '#server/db/database.ts'
import type { EmailQuota } from '#server/jobs/email-job.ts'
import { consumePoint, emailCounterKey, getCounter } from './rate-limit-counters.ts'

/** Account emails with one subject to one address in a day: far above what a person causes. */
const max = 20
const daySeconds = 24 * 3600

/**
 * The last barrier in front of a mailbox, for all kinds of account email: whatever asks for them, one kind never fills a
 * mailbox, and never uses up the room of another. Counted once an email was accepted, so retries count once.
 */
export function createEmailQuota(database: Database, clock: () => Date): EmailQuota {
  const keyOf = ({ to, subject }: { to: string; subject: string }) =>
    emailCounterKey('mails-of-day-subject', `${to.toLowerCase()}\n${subject}`)
  return {
    isLeft: async (mail) => ((await getCounter(database, keyOf(mail), clock()))?.points ?? 0) < max,
    count: async (mail) => {
      await consumePoint(database.db, keyOf(mail), daySeconds, clock())
    },
  }
}
