import { and, desc, eq, inArray } from 'drizzle-orm'
import type { Config } from '#server/config/config.ts'
import type { Tx } from '#server/db/database.ts'
import { refreshTokens, sessions, users } from '#server/db/schema/index.ts'
import { amrClaimStatement } from '../security/step-up.ts'
import { type IssuedSession, issueFirstRefreshToken } from './create-session.ts'
import { sessionExpiry } from './session-expiry.ts'
import { hasVerifiedFactor } from './upgrade-session.ts'

type Continuation = {
  userId: string
  /** Session ids that the client sent. Those of other users and ended ones are ignored. */
  heldIds: readonly string[]
  method: string
  sessionDays: Config['auth']['sessionDays']
  now: Date
}

/**
 * Continues this browser's existing session with new tokens, instead of adding a second one. If the account has a second
 * factor, ends it instead, because an emailed code alone must not reach aal2. The caller has locked the user's row.
 * @returns null if a new session is needed
 */
export async function continueSession(tx: Tx, continuation: Continuation): Promise<IssuedSession | null> {
  const { userId, heldIds, method, sessionDays, now } = continuation
  if (heldIds.length === 0) return null
  const held = await tx
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), inArray(sessions.id, [...heldIds])))
    .orderBy(desc(sessions.updatedAt), sessions.id)
    .for('update')
  if (held.length === 0) return null
  const isLive = (session: (typeof held)[number]) =>
    [session.notAfter, sessionExpiry(session, sessionDays)].every((end) => end === null || end > now)
  const [current] = (await hasVerifiedFactor(tx, userId))
    ? []
    : held.filter((session) => isLive(session) && session.aal === 'aal1' && !session.awaitsSecondFactor)

  const replacedIds = held.filter((session) => isLive(session) && session !== current).map(({ id }) => id)
  if (replacedIds.length > 0) await tx.delete(sessions).where(inArray(sessions.id, replacedIds))
  if (!current) return null

  await tx.update(sessions).set({ updatedAt: now }).where(eq(sessions.id, current.id))
  await tx.update(users).set({ lastSignInAt: now, updatedAt: now }).where(eq(users.id, userId))
  await tx.execute(amrClaimStatement(current.id, method, now))
  await tx.delete(refreshTokens).where(eq(refreshTokens.sessionId, current.id))
  return {
    userId,
    sessionId: current.id,
    refreshToken: await issueFirstRefreshToken(tx, { userId, sessionId: current.id, now }),
  }
}
