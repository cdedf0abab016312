import type { Db, Tx } from '#server/db/database.ts'
import { AppError } from '#shared/errors.ts'
import { accountKey, addPoint, clearPoints } from './account-counters.ts'

/** Tries that somebody who is signed in has at a password or a mailed code, before they may change the account's keys. */
const tries = { points: 10, windowSeconds: 15 * 60 }

const key = (userId: string) => accountKey(userId, 'proof')

/**
 * Counts a try before it is looked at, so that many at once count as many.
 * @throws AppError over_request_rate_limit
 */
export async function takeProofTry(db: Db | Tx, userId: string, now: Date): Promise<void> {
  const { points } = await addPoint(db, key(userId), tries.windowSeconds, now)
  if (points > tries.points) throw new AppError('over_request_rate_limit')
}

export const forgetProofTries = (db: Db | Tx, userId: string) => clearPoints(db, key(userId))
