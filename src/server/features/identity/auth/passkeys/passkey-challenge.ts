import { and, eq, lt, sql } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'
import { webauthnChallenges } from '#server/db/schema/index.ts'
import { AppError } from '#shared/errors.ts'
import { isUuid } from '../is-uuid.ts'
import { webauthnLifetimeMs } from './webauthn.ts'

/** A registration is bound to its session. Authentication starts without a known user. */
export type PasskeyChallengeKind =
  | { type: 'registration'; userId: string; sessionId: string }
  | { type: 'authentication' }

/** Expired challenges are kept this long, for specific error messages. */
const retentionMs = 60 * 60_000
const maxPurgedRows = 5

/** Stores a challenge, and purges a few old ones. */
export async function storeChallenge(
  { db }: Database,
  kind: PasskeyChallengeKind,
  challenge: string,
  now: Date,
): Promise<{ challenge_id: string; expires_at: number }> {
  const expiresAt = new Date(now.getTime() + webauthnLifetimeMs)
  const id = crypto.randomUUID()
  const registration = kind.type === 'registration' ? kind : null
  await db.insert(webauthnChallenges).values({
    id,
    userId: registration?.userId,
    challengeType: kind.type,
    sessionData: { challenge, ...(registration && { sessionId: registration.sessionId }) },
    createdAt: now,
    expiresAt,
  })
  const purged = db
    .select({ id: webauthnChallenges.id })
    .from(webauthnChallenges)
    .where(lt(webauthnChallenges.expiresAt, new Date(now.getTime() - retentionMs)))
    .limit(maxPurgedRows)
    .for('update', { skipLocked: true })
  await db.delete(webauthnChallenges).where(sql`${webauthnChallenges.id} in (${purged})`)
  return { challenge_id: id, expires_at: Math.floor(expiresAt.getTime() / 1000) }
}

/**
 * Deletes a challenge and returns its value. Each challenge allows one attempt.
 * @throws AppError webauthn_challenge_not_found, webauthn_challenge_expired
 */
export async function consumeChallenge(
  { db }: Database,
  kind: PasskeyChallengeKind,
  id: string,
  now: Date,
): Promise<string> {
  if (!isUuid(id)) throw new AppError('webauthn_challenge_not_found')
  const mine =
    kind.type === 'registration'
      ? and(
          eq(webauthnChallenges.userId, kind.userId),
          sql`${webauthnChallenges.sessionData} ->> 'sessionId' = ${kind.sessionId}`,
        )
      : undefined
  const [taken] = await db
    .delete(webauthnChallenges)
    .where(and(eq(webauthnChallenges.id, id), eq(webauthnChallenges.challengeType, kind.type), mine))
    .returning()
  if (!taken) throw new AppError('webauthn_challenge_not_found')
  if (taken.expiresAt <= now) throw new AppError('webauthn_challenge_expired')
  return taken.sessionData.challenge
}
