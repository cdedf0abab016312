import { eq } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { rateLimits } from '#server/db/schema/index.ts'
import type { Principal } from '#server/http/principal.ts'
import type { ClientFacts } from '../sessions/client-facts.ts'
import { accountKey, addPoint, clearPoints } from './account-counters.ts'
import { isKnownMfaAddress } from './known-addresses.ts'

/** Of a million codes, too few to hit one; whoever types them has passed the first step already. */
export const maxWrongCodes = 10
const allowed = { points: maxWrongCodes, windowSeconds: 15 * 60 }

type Guess = { who: Principal; client: Pick<ClientFacts, 'ip'>; way: 'totp' | 'phone' | 'backup'; now: Date }

/**
 * Wrong codes that an account may collect, for each way apart: who uses up the tries of one leaves the others open to
 * the owner. Sessions and addresses that passed before are counted alone, since a guesser never gets that far.
 */
export async function wrongCodes(tx: Tx, guess: Guess) {
  const { now } = guess
  const key = await keyOf(tx, guess)
  return {
    async areTooMany(): Promise<boolean> {
      const [count] = await tx.select().from(rateLimits).where(eq(rateLimits.key, key))
      return count !== undefined && count.expiresAt > now && count.points >= allowed.points
    },
    add: () => addPoint(tx, key, allowed.windowSeconds, now),
    clear: () => clearPoints(tx, key),
  }
}

async function keyOf(tx: Tx, { who, client, way, now }: Guess): Promise<string> {
  const { userId } = who
  if (who.aal === 'aal2') return accountKey(userId, `wrong-${way}:session:${who.sessionId}`)
  const knowsPlace = await isKnownMfaAddress(tx, { userId, client, now })
  return accountKey(userId, knowsPlace ? `wrong-${way}:${client.ip}` : `wrong-${way}`)
}
