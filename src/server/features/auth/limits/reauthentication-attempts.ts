import type { Db, Tx } from '#server/db/database.ts'
import { AppError } from '#shared/errors.ts'
import { consumePoint, resetCounter, userCounterKey } from './rate-limit-counters.ts'

/** Tries that somebody who is signed in has at a password or a mailed code, before they may change the account's keys. */
const tries = { points: 10, windowSeconds: 15 * 60 }

const key = (userId: string) => userCounterKey(userId, 'proof')

/**
 * Counts a try before it is looked at, so that many at once count as many.
 * @throws AppError over_request_rate_limit
 */
export async function consumeReauthenticationAttempt(db: Db | Tx, userId: string, now: Date): Promise<void> {
  const { points } = await consumePoint(db, key(userId), tries.windowSeconds, now)
  if (points > tries.points) throw new AppError('over_request_rate_limit')
}

export const resetReauthenticationAttempts = (db: Db | Tx, userId: string) => resetCounter(db, key(userId))
