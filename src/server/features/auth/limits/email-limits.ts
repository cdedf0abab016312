import type { Db, Tx } from '#server/db/database.ts'
import { AppError } from '#shared/errors.ts'
import { consumePoint, emailCounterKey } from './rate-limit-counters.ts'

const intervalSeconds = 60
const daySeconds = 24 * 3600

/**
 * Emails of a kind to one address in a day, whichever accounts and nodes they are for. Plenty for someone who mistypes,
 * too few to bury a mailbox under. Each kind counts apart, so that using one up holds back no other.
 */
const maxPerDay = {
  confirmation: 10,
  /** Recovery and sign-in links share one count. */
  recovery: 10,
  email_change: 10,
  reauthentication: 10,
  invitation: 10,
  team_invitation: 10,
  /** To an address that no one has confirmed: its owner may be a stranger to the account and to us. */
  unproven_notice: 3,
  welcome: 3,
  farewell: 3,
} as const

export type EmailKind = keyof typeof maxPerDay

/** Of each kind of notice, so that a flood of one never hides the first of another. */
const maxNoticesPerDay = 20

/** Counts an email without asking whether it may be sent: the first one to a new account always may. */
export const countEmail = (db: Db | Tx, kind: EmailKind, email: string, now: Date) =>
  consumePoint(db, emailCounterKey(`mail-${kind}`, email), intervalSeconds, now)

/**
 * One email of a kind per address and minute, and the day's number. It counts addresses and not accounts, so that the
 * refusal does not tell which addresses have one.
 * @throws AppError over_email_send_rate_limit
 */
export async function consumeEmailLimit(db: Db | Tx, kind: EmailKind, email: string, now: Date): Promise<void> {
  const { points, expiresAt } = await countEmail(db, kind, email, now)
  if (points > 1) throw tooSoon(expiresAt, now)
  await consumeDailyEmailLimit(db, kind, email, now)
}

/** @throws AppError over_email_send_rate_limit when the day's number of the kind is used up */
export async function consumeDailyEmailLimit(db: Db | Tx, kind: EmailKind, email: string, now: Date): Promise<void> {
  const { isLeft, expiresAt } = await countOfDay(db, kind, maxPerDay[kind], { email, now })
  if (!isLeft) throw tooSoon(expiresAt, now)
}

/** Counts an email and tells whether it may still go out today, for emails that are left out without a word. */
export async function tryDailyEmailLimit(db: Db | Tx, kind: EmailKind, email: string, now: Date): Promise<boolean> {
  return (await countOfDay(db, kind, maxPerDay[kind], { email, now })).isLeft
}

/** The same for a notice of a change to a proven account. */
export async function tryDailyNoticeLimit(tx: Tx, event: string, email: string, now: Date): Promise<boolean> {
  return (await countOfDay(tx, `notice-${event}`, maxNoticesPerDay, { email, now })).isLeft
}

async function countOfDay(db: Db | Tx, name: string, max: number, { email, now }: { email: string; now: Date }) {
  const { points, expiresAt } = await consumePoint(db, emailCounterKey(`mails-of-day-${name}`, email), daySeconds, now)
  return { isLeft: points <= max, expiresAt }
}

function tooSoon(expiresAt: Date, now: Date): AppError {
  const seconds = Math.max(1, Math.ceil((expiresAt.getTime() - now.getTime()) / 1000))
  return new AppError('over_email_send_rate_limit', {
    message: `For security purposes, you can only request this after ${seconds} seconds.`,
  })
}
