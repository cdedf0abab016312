import { eq } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { rateLimits } from '#server/db/schema/index.ts'
import type { Principal } from '#server/http/principal.ts'
import type { ClientInfo } from '../sessions/client-info.ts'
import { isKnownMfaAddress } from './known-addresses.ts'
import { consumePoint, resetCounter, userCounterKey } from './rate-limit-counters.ts'

/** Of a million codes, too few to hit one; whoever types them has passed the first step already. */
export const maxFailedMfaCodes = 10
const allowed = { points: maxFailedMfaCodes, windowSeconds: 15 * 60 }

type Guess = { who: Principal; client: Pick<ClientInfo, 'ip'>; way: 'totp' | 'phone' | 'backup'; now: Date }

/**
 * Wrong codes that an account may collect, for each way apart: who uses up the tries of one leaves the others open to
 * the owner. Sessions and addresses that passed before are counted alone, since a guesser never gets that far.
 */
export async function failedMfaCodes(tx: Tx, guess: Guess) {
  const { now } = guess
  const key = await keyOf(tx, guess)
  return {
    async areTooMany(): Promise<boolean> {
      const [count] = await tx.select().from(rateLimits).where(eq(rateLimits.key, key))
      return count !== undefined && count.expiresAt > now && count.points >= allowed.points
    },
    add: () => consumePoint(tx, key, allowed.windowSeconds, now),
    clear: () => resetCounter(tx, key),
  }
}

async function keyOf(tx: Tx, { who, client, way, now }: Guess): Promise<string> {
  const { userId } = who
  if (who.aal === 'aal2') return userCounterKey(userId, `wrong-${way}:session:${who.sessionId}`)
  const knowsPlace = await isKnownMfaAddress(tx, { userId, client, now })
  return userCounterKey(userId, knowsPlace ? `wrong-${way}:${client.ip}` : `wrong-${way}`)
}
