import { and, eq, gt, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { rateLimits } from '#server/db/schema/index.ts'
import type { ClientFacts } from '../sessions/client-facts.ts'
import { accountKey } from './account-counters.ts'

const days = 90

type Place = { userId: string; client: Pick<ClientFacts, 'ip'>; now: Date }

const keyOf = (userId: string, ip: string) => accountKey(userId, `passed-from:${ip}`)

/**
 * Remembers for a season that the second step was passed from an address. Whoever knows a password can use up tries and
 * text messages, but never gets here; so from such an address its owner has their own.
 */
export async function rememberPassing(tx: Tx, { userId, client, now }: Place): Promise<void> {
  if (!client.ip) return
  const expiresAt = new Date(now.getTime() + days * 24 * 60 * 60_000)
  await tx
    .insert(rateLimits)
    .values({ key: keyOf(userId, client.ip), points: 0, expiresAt })
    .onConflictDoUpdate({ target: rateLimits.key, set: { expiresAt: sql`excluded.expires_at` } })
}

export async function hasPassedFrom(tx: Tx, { userId, client, now }: Place): Promise<boolean> {
  if (!client.ip) return false
  const [known] = await tx
    .select({ key: rateLimits.key })
    .from(rateLimits)
    .where(and(eq(rateLimits.key, keyOf(userId, client.ip)), gt(rateLimits.expiresAt, now)))
  return known !== undefined
}
