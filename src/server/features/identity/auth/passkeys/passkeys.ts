import { and, asc, eq, lt, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database, Db, Tx } from '#server/db/database.ts'
import { webauthnChallenges, webauthnCredentials } from '#server/db/schema/index.ts'
import type { Principal } from '#server/http/principal.ts'
import { AppError } from '#shared/errors.ts'
import { type AuthDeps, isUuid } from '../auth-deps.ts'
import { notifySecurityChange } from '../security/security-event.ts'
import { requireMfaStepUp } from '../security/step-up.ts'
import type { ClientInfo } from '../sessions/client-info.ts'
import { lockUser } from '../users/lock-user.ts'
import { webauthnLifetimeMs } from './webauthn.ts'

export type PasskeyRow = typeof webauthnCredentials.$inferSelect

export const insufficientAalForPasskeys = { message: 'AAL2 required to manage passkeys' }

const nameLength = 'A passkey name must be 1 to 120 characters long'
export const renamePasskeyInput = z.object({
  friendly_name: z.string({ error: nameLength }).trim().min(1, nameLength).max(120, nameLength),
})

/** A passkey in API responses. */
export const toWirePasskey = (row: Pick<PasskeyRow, 'id' | 'friendlyName' | 'createdAt' | 'lastUsedAt'>) => ({
  id: row.id,
  friendly_name: row.friendlyName || undefined,
  created_at: row.createdAt.toISOString(),
  last_used_at: row.lastUsedAt?.toISOString(),
})

export async function listPasskeys(db: Db | Tx, userId: string) {
  const rows = await db
    .select()
    .from(webauthnCredentials)
    .where(eq(webauthnCredentials.userId, userId))
    .orderBy(asc(webauthnCredentials.createdAt))
  return rows.map(toWirePasskey)
}

/** @throws AppError validation_failed (404 for an unknown id), insufficient_aal, reauthentication_needed */
export async function renamePasskey(deps: AuthDeps, who: Principal, id: string, friendlyName: string) {
  requireId(id)
  await requireMfaStepUp(deps, who, insufficientAalForPasskeys)
  const [row] = await deps.database.db
    .update(webauthnCredentials)
    .set({ friendlyName, updatedAt: deps.clock() })
    .where(ofUser(id, who.userId))
    .returning()
  if (!row) throw unknownPasskey()
  return toWirePasskey(row)
}

/** @throws AppError validation_failed (404 for an unknown id), insufficient_aal, reauthentication_needed */
export async function removePasskey(deps: AuthDeps, who: Principal, id: string, client: ClientInfo): Promise<void> {
  requireId(id)
  await requireMfaStepUp(deps, who, insufficientAalForPasskeys)
  await deps.database.db.transaction(async (tx) => {
    if (!(await deletePasskey(tx, who.userId, id))) throw unknownPasskey()
    const change = { userId: who.userId, email: who.email, client, now: deps.clock() }
    await notifySecurityChange(tx, deps, { event: 'passkey_removed', ...change })
  })
}

/** @returns false if the user has no passkey with this id */
export async function deletePasskey(tx: Tx, userId: string, id: string): Promise<boolean> {
  await lockUser(tx, userId)
  const dropped = await tx
    .delete(webauthnCredentials)
    .where(ofUser(id, userId))
    .returning({ id: webauthnCredentials.id })
  return dropped.length > 0
}

const ofUser = (id: string, userId: string) =>
  and(eq(webauthnCredentials.id, id), eq(webauthnCredentials.userId, userId))

function requireId(id: string): void {
  if (!isUuid(id)) throw new AppError('validation_failed', { status: 404, message: 'passkey_id must be a UUID' })
}

const unknownPasskey = () => new AppError('validation_failed', { status: 404, message: 'Passkey not found' })

/** A registration is bound to its session. Authentication starts without a known user. */
type PasskeyChallengeKind = { type: 'registration'; userId: string; sessionId: string } | { type: 'authentication' }

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
