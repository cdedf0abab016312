import type { Db, Tx } from '#server/db/database.ts'
import { AppError } from '#shared/errors.ts'
import { addPoint, counterKey } from './account-counters.ts'

const intervalSeconds = 60
/** Recovery and sign-in mails: plenty for somebody who mistypes, too few to bury a mailbox under. */
const ofDay = { points: 10, windowSeconds: 24 * 3600 }
/** Notices to an address that nobody has proven: its owner may be a stranger to the account and to us. */
const unprovenNoticesOfDay = { points: 3, windowSeconds: 24 * 3600 }

/** Recovery and sign-in links share one interval, the proof of an address has its own. */
export type MailedKind = 'confirmation' | 'recovery' | 'email_change' | 'reauthentication'

/** Counts a mail without asking whether it may be sent: the first one to a new account always may. */
export const countMail = (db: Db | Tx, kind: MailedKind, email: string, now: Date) =>
  addPoint(db, counterKey(`mail-${kind}`, email), intervalSeconds, now)

/**
 * One mail of a kind per address and minute. It counts addresses and not accounts, so that the refusal does not tell
 * which addresses have one.
 * @throws AppError over_email_send_rate_limit
 */
export async function takeMailTurn(db: Db | Tx, kind: MailedKind, email: string, now: Date): Promise<void> {
  const { points, expiresAt } = await countMail(db, kind, email, now)
  if (points > 1) throw tooSoon(expiresAt, now)
}

/**
 * Ten recovery and sign-in mails per address and day, whoever asks and whether or not there is an account.
 * @throws AppError over_email_send_rate_limit
 */
export async function takeRecoveryOfDay(db: Db | Tx, email: string, now: Date): Promise<void> {
  const { points, expiresAt } = await addPoint(db, counterKey('mails-of-day', email), ofDay.windowSeconds, now)
  if (points > ofDay.points) throw tooSoon(expiresAt, now)
}

/** Counts a notice to an address that nobody has proven, and tells whether it may still go out today. */
export async function takeUnprovenNotice(tx: Tx, email: string, now: Date): Promise<boolean> {
  const { points, windowSeconds } = unprovenNoticesOfDay
  const taken = await addPoint(tx, counterKey('unproven-notices', email), windowSeconds, now)
  return taken.points <= points
}

function tooSoon(expiresAt: Date, now: Date): AppError {
  const seconds = Math.max(1, Math.ceil((expiresAt.getTime() - now.getTime()) / 1000))
  return new AppError('over_email_send_rate_limit', {
    message: `For security purposes, you can only request this after ${seconds} seconds.`,
  })
}
