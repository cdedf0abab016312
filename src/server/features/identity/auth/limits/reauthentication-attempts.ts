import type { Db, Tx } from '#server/db/database.ts'
import { AppError } from '#shared/errors.ts'
import { consumePoint, resetCounter, userCounterKey } from './rate-limit-counters.ts'

/** Attempts at the current password or an emailed nonce within a session. */
const limit = { points: 10, windowSeconds: 15 * 60 }

const key = (userId: string) => userCounterKey(userId, 'proof')

/**
 * Counts an attempt before it is checked, so that concurrent attempts count too.
 * @throws AppError over_request_rate_limit
 */
export async function consumeReauthenticationAttempt(db: Db | Tx, userId: string, now: Date): Promise<void> {
  const { points } = await consumePoint(db, key(userId), limit.windowSeconds, now)
  if (points > limit.points) throw new AppError('over_request_rate_limit')
}

export const resetReauthenticationAttempts = (db: Db | Tx, userId: string) => resetCounter(db, key(userId))
