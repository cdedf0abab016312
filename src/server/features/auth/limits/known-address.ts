import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { rateLimits } from '#server/db/schema/index.ts'
import type { ClientFacts } from '../sessions/client-facts.ts'
import { accountKey } from './account-counters.ts'

const days = 90

/** Kept beside the counters rather than read from sessions, since signing out deletes those. */
export const knownAddressKey = (userId: string, ip: string | null) => accountKey(userId, `known:${ip ?? 'none'}`)

/** Remembers for a season that an account signed in from an address; each sign-in renews it. */
export async function rememberAddress(
  tx: Tx,
  { userId, client, now }: { userId: string; client: Pick<ClientFacts, 'ip'>; now: Date },
): Promise<void> {
  if (!client.ip) return
  const expiresAt = new Date(now.getTime() + days * 24 * 60 * 60_000)
  await tx
    .insert(rateLimits)
    .values({ key: knownAddressKey(userId, client.ip), points: 0, expiresAt })
    .onConflictDoUpdate({ target: rateLimits.key, set: { expiresAt: sql`excluded.expires_at` } })
}
