import { eq } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { rateLimits } from '#server/db/schema/index.ts'
import type { Principal } from '#server/http/principal.ts'
import type { ClientInfo } from '../sessions/client-info.ts'
import { isKnownMfaAddress } from './known-ip-addresses.ts'
import { consumePoint, resetCounter, shortenWindow, userCounterKey } from './rate-limit-counters.ts'

/** Wrong codes per window. */
export const maxFailedMfaCodes = 10
const allowed = { points: maxFailedMfaCodes, windowSeconds: 15 * 60 }

type Guess = { who: Principal; client: Pick<ClientInfo, 'ip'>; method: 'totp' | 'phone' | 'backup'; now: Date }

/**
 * Counts wrong second-factor codes per account and method. Sessions at aal2 and addresses that verified a factor before
 * have counters of their own, so that a guesser can't lock out the owner.
 */
export async function failedMfaCodes(tx: Tx, guess: Guess) {
  const { now } = guess
  const key = await keyOf(tx, guess)
  return {
    async isLocked(): Promise<boolean> {
      const [count] = await tx.select().from(rateLimits).where(eq(rateLimits.key, key))
      if (!count || count.expiresAt <= now || count.points < allowed.points) return false
      await shortenWindow(tx, count, { windowSeconds: allowed.windowSeconds, now })
      return true
    },
    add: () => consumePoint(tx, key, allowed.windowSeconds, now),
    clear: () => resetCounter(tx, key),
  }
}

async function keyOf(tx: Tx, { who, client, method, now }: Guess): Promise<string> {
  const { userId } = who
  if (who.aal === 'aal2') return userCounterKey(userId, `wrong-${method}:session:${who.sessionId}`)
  const isKnown = await isKnownMfaAddress(tx, { userId, client, now })
  return userCounterKey(userId, isKnown ? `wrong-${method}:${client.ip}` : `wrong-${method}`)
}
