import { and, eq, isNull, ne } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { mfaFactors, refreshTokens, sessions } from '#server/db/schema/index.ts'
import type { Principal } from '#server/http/principal.ts'
import { AppError } from '#shared/errors.ts'
import { rememberMfaAddress } from '../limits/known-ip-addresses.ts'
import { amrClaimStatement } from '../security/step-up.ts'
import type { ClientInfo } from './client-info.ts'
import { type IssuedSession, issueFirstRefreshToken } from './create-session.ts'

export type FactorType = (typeof mfaFactors.$inferSelect)['factorType']

/** `amr` method by factor type. */
export const factorMethods = {
  totp: 'totp',
  phone: 'mfa/phone',
  webauthn: 'mfa/webauthn',
} as const satisfies Record<FactorType, string>

export const backupCodeMethod = 'mfa/backup_code'

/**
 * Upgrades a session to aal2. Replaces its refresh token, so that copies of the old one don't gain aal2, and ends the user's
 * other aal1 sessions, except those on trusted devices.
 * @returns session_not_found if the session has ended meanwhile
 */
export async function upgradeSession(
  tx: Tx,
  { userId, sessionId }: Pick<Principal, 'userId' | 'sessionId'>,
  authentication: { method: string; factorId: string | null; client: Pick<ClientInfo, 'ip'>; now: Date },
): Promise<IssuedSession | AppError> {
  const { method, factorId, client, now } = authentication
  const upgraded = await tx
    .update(sessions)
    .set({ aal: 'aal2', awaitsSecondFactor: false, trustedDeviceId: null, factorId, updatedAt: now })
    .where(eq(sessions.id, sessionId))
    .returning({ id: sessions.id })
  if (upgraded.length === 0) return new AppError('session_not_found')
  await tx.execute(amrClaimStatement(sessionId, method, now))
  await rememberMfaAddress(tx, { userId, client, now })
  await tx.delete(refreshTokens).where(eq(refreshTokens.sessionId, sessionId))
  const refreshToken = await issueFirstRefreshToken(tx, { userId, sessionId, now })
  await tx
    .delete(sessions)
    .where(
      and(
        eq(sessions.userId, userId),
        ne(sessions.id, sessionId),
        eq(sessions.aal, 'aal1'),
        isNull(sessions.trustedDeviceId),
      ),
    )
  return { userId, sessionId, refreshToken }
}

export async function hasVerifiedFactor(tx: Tx, userId: string): Promise<boolean> {
  const [verified] = await tx
    .select({ id: mfaFactors.id })
    .from(mfaFactors)
    .where(and(eq(mfaFactors.userId, userId), eq(mfaFactors.status, 'verified')))
    .limit(1)
  return verified !== undefined
}
