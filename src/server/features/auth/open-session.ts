import { eq } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { identities, mfaAmrClaims, refreshTokens, sessions, users } from '#server/db/schema/index.ts'
import type { ClientFacts } from './client-facts.ts'
import { hashRefreshToken, newRefreshToken } from './refresh-token.ts'

export type OpenedSession = { userId: string; sessionId: string; refreshToken: string }

/** Writes a session at aal1 with its first refresh token and the method that opened it. */
export async function openSession(
  tx: Tx,
  session: { userId: string; method: string; client: Pick<ClientFacts, 'ip' | 'userAgent'>; now: Date },
): Promise<OpenedSession> {
  const { userId, method, client, now } = session
  const sessionId = crypto.randomUUID()
  const stamps = { createdAt: now, updatedAt: now }
  await tx
    .insert(sessions)
    .values({ id: sessionId, userId, aal: 'aal1', userAgent: client.userAgent, ip: client.ip, ...stamps })
  const refreshToken = await startRefreshFamily(tx, { userId, sessionId, now })
  await tx.insert(mfaAmrClaims).values({ id: crypto.randomUUID(), sessionId, authenticationMethod: method, ...stamps })
  await tx.update(users).set({ lastSignInAt: now, updatedAt: now }).where(eq(users.id, userId))
  await tx.update(identities).set({ lastSignInAt: now, updatedAt: now }).where(eq(identities.userId, userId))
  return { userId, sessionId, refreshToken }
}

/** The first token of a family; only its hash is stored. */
export async function startRefreshFamily(
  tx: Tx,
  { userId, sessionId, now }: { userId: string; sessionId: string; now: Date },
) {
  const refreshToken = newRefreshToken()
  await tx.insert(refreshTokens).values({
    token: hashRefreshToken(refreshToken),
    userId,
    sessionId,
    createdAt: now,
    updatedAt: now,
  })
  return refreshToken
}
