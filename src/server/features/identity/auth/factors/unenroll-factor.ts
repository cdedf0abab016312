import { and, eq, inArray } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { backupCodes, mfaAmrClaims, mfaFactors, sessions, trustedDevices } from '#server/db/schema/index.ts'
import type { Principal } from '#server/http/principal.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { notifySecurityChange } from '../security/notify-security-change.ts'
import { requireMfaCompleted } from '../security/require-mfa-completed.ts'
import { requireMfaStepUp } from '../security/step-up.ts'
import type { ClientInfo } from '../sessions/client-info.ts'
import { backupCodeMethod, factorMethods, hasVerifiedFactor } from '../sessions/upgrade-session.ts'
import { lockUser } from '../users/lock-user.ts'
import { type FactorRow, requireFactor } from './factor-row.ts'

const insufficientAal = { status: 422, message: 'AAL2 required to unenroll verified factor' }

/**
 * Unenrolls a factor of the caller. A verified one requires step-up, an unverified one only a completed sign-in.
 * @throws AppError mfa_factor_not_found, insufficient_aal (422), reauthentication_needed
 */
export async function unenrollFactor(
  deps: AuthDeps,
  who: Principal,
  factorId: string,
  client: ClientInfo,
): Promise<{ id: string }> {
  const factor = await requireFactor(deps, who.userId, factorId)
  if (factor.status === 'verified') await requireMfaStepUp(deps, who, insufficientAal)
  else requireMfaCompleted(who)
  const now = deps.clock()
  await deps.database.db.transaction(async (tx) => {
    const dropped = await deleteFactor(tx, factor, now)
    if (dropped?.status !== 'verified') return
    await notifySecurityChange(tx, deps, {
      event: 'factor_removed',
      userId: who.userId,
      email: who.email,
      client,
      note: factor.factorType,
      now,
    })
  })
  return { id: factor.id }
}

/**
 * Deletes a factor, downgrades the sessions that it upgraded and ends the trust in devices. With the last verified factor, also deletes the backup
 * codes and clears `awaits_second_factor` from all sessions.
 * @returns the deleted factor, or null if it was already gone
 */
export async function deleteFactor(
  tx: Tx,
  { id, userId }: Pick<FactorRow, 'id' | 'userId'>,
  now: Date,
): Promise<FactorRow | null> {
  await lockUser(tx, userId)
  const [factor] = await tx.delete(mfaFactors).where(eq(mfaFactors.id, id)).returning()
  if (!factor) return null
  await downgradeSessions(tx, factor, now)
  if (factor.status === 'verified') await tx.delete(trustedDevices).where(eq(trustedDevices.userId, userId))
  if (factor.status === 'verified' && !(await hasVerifiedFactor(tx, userId))) {
    await tx.delete(backupCodes).where(eq(backupCodes.userId, userId))
    await tx
      .update(sessions)
      .set({ awaitsSecondFactor: false, updatedAt: now })
      .where(and(eq(sessions.userId, userId), eq(sessions.awaitsSecondFactor, true)))
  }
  return factor
}

/**
 * Downgrades sessions to aal1 unless another factor was verified in them too. If the account still has a factor, they
 * must verify it: otherwise tokens from before the upgrade would be accepted again.
 */
async function downgradeSessions(tx: Tx, factor: FactorRow, now: Date): Promise<void> {
  const upgraded = await tx
    .update(sessions)
    .set({ factorId: null, updatedAt: now })
    .where(and(eq(sessions.userId, factor.userId), eq(sessions.factorId, factor.id)))
    .returning({ id: sessions.id })
  if (upgraded.length === 0) return
  const ids = upgraded.map((session) => session.id)
  const inUpgraded = inArray(mfaAmrClaims.sessionId, ids)
  await tx
    .delete(mfaAmrClaims)
    .where(and(inUpgraded, eq(mfaAmrClaims.authenticationMethod, factorMethods[factor.factorType])))
  const others = await tx
    .select({ id: mfaAmrClaims.sessionId })
    .from(mfaAmrClaims)
    .where(
      and(inUpgraded, inArray(mfaAmrClaims.authenticationMethod, [...Object.values(factorMethods), backupCodeMethod])),
    )
  const kept = new Set(others.map((session) => session.id))
  const downgraded = ids.filter((id) => !kept.has(id))
  if (downgraded.length === 0) return
  const awaitsSecondFactor = await hasVerifiedFactor(tx, factor.userId)
  await tx.update(sessions).set({ aal: 'aal1', awaitsSecondFactor }).where(inArray(sessions.id, downgraded))
}
