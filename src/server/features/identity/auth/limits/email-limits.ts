import type { Database, Db, Tx } from '#server/db/database.ts'
import type { EmailQuota } from '#server/jobs/email-job.ts'
import { normalizeMailbox } from '#server/mail/normalize-mailbox.ts'
import { AppError } from '#shared/errors.ts'
import { consumePause, consumePoint, emailCounterKey, getCounter } from './rate-limit-counters.ts'

const intervalSeconds = 60
const daySeconds = 24 * 3600

/** Emails of each kind to one mailbox per day, whatever is written after a plus sign, across accounts and nodes. */
const maxPerDay = {
  confirmation: 10,
  /** Shared by recovery and sign-in emails. */
  recovery: 10,
  email_change: 10,
  reauthentication: 10,
  invitation: 10,
  team_invitation: 10,
  team_domain: 5,
  staff_invitation: 10,
  /** Anyone may enter any address. */
  free_edition: 1,
  /** Security notices to an unconfirmed address, which may belong to someone else. */
  unverified_notice: 3,
  welcome: 3,
  farewell: 3,
} as const

export type EmailKind = keyof typeof maxPerDay

/** Per address and kind of notice. */
const maxNoticesPerDay = 20

/** Counts an email without enforcing the interval, for the first email to a new account. */
export const countEmail = (db: Db | Tx, kind: EmailKind, email: string, now: Date) =>
  consumePause(db, emailCounterKey(`email-${kind}`, email), intervalSeconds, now)

/**
 * Enforces one email of a kind per address and minute, and the daily limit. Counts unknown addresses as well, so that the
 * error doesn't reveal which addresses have an account.
 * @throws AppError over_email_send_rate_limit
 */
export async function consumeEmailLimit(db: Db | Tx, kind: EmailKind, email: string, now: Date): Promise<void> {
  const { points, expiresAt } = await countEmail(db, kind, email, now)
  if (points > 1) throw tooSoon(expiresAt, now)
  await consumeDailyEmailLimit(db, kind, email, now)
}

/** @throws AppError over_email_send_rate_limit when the daily limit is reached */
export async function consumeDailyEmailLimit(db: Db | Tx, kind: EmailKind, email: string, now: Date): Promise<void> {
  const { isAllowed, expiresAt } = await consumeDaily(db, kind, maxPerDay[kind], { email, now })
  if (!isAllowed) throw tooSoon(expiresAt, now)
}

/** Counts an email. @returns whether it is within the daily limit, for emails that are skipped silently */
export async function tryDailyEmailLimit(db: Db | Tx, kind: EmailKind, email: string, now: Date): Promise<boolean> {
  return (await consumeDaily(db, kind, maxPerDay[kind], { email, now })).isAllowed
}

/** The same for a security notice to a confirmed address. */
export async function tryDailyNoticeLimit(tx: Tx, event: string, email: string, now: Date): Promise<boolean> {
  return (await consumeDaily(tx, `notice-${event}`, maxNoticesPerDay, { email, now })).isAllowed
}

async function consumeDaily(db: Db | Tx, name: string, max: number, { email, now }: { email: string; now: Date }) {
  const key = emailCounterKey(`daily-emails-${name}`, normalizeMailbox(email))
  const { points, expiresAt } = await consumePoint(db, key, daySeconds, now)
  return { isAllowed: points <= max, expiresAt }
}

function tooSoon(expiresAt: Date, now: Date): AppError {
  const seconds = Math.max(1, Math.ceil((expiresAt.getTime() - now.getTime()) / 1000))
  return new AppError('over_email_send_rate_limit', {
    message: `For security purposes, you can only request this after ${seconds} seconds.`,
  })
}

/** Account emails with the same subject to one address per day. */
const maxPerSubjectAndDay = 20

/** Final daily limit for account emails, per address and subject. Counts accepted emails, so retries count once. */
export function createEmailQuota(database: Database, clock: () => Date): EmailQuota {
  const keyOf = ({ to, subject }: { to: string; subject: string }) =>
    emailCounterKey('daily-emails-subject', `${to.toLowerCase()}\n${subject}`)
  return {
    async isLeft(email) {
      const counter = await getCounter(database, keyOf(email), { windowSeconds: daySeconds, now: clock() })
      return (counter?.points ?? 0) < maxPerSubjectAndDay
    },
    count: async (email) => {
      await consumePoint(database.db, keyOf(email), daySeconds, clock())
    },
  }
}
