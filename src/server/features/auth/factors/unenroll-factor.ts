import { and, eq, inArray } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { backupCodes, mfaAmrClaims, mfaFactors, sessions } from '#server/db/schema/index.ts'
import type { Principal } from '#server/http/principal.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { notifySecurityChange } from '../security/notify-security-change.ts'
import { requireMfaCompleted } from '../security/require-mfa-completed.ts'
import { requireMfaStepUp } from '../security/step-up.ts'
import type { ClientInfo } from '../sessions/client-info.ts'
import { backupCodeMethod, factorMethods, hasVerifiedFactor, lockUser } from '../sessions/upgrade-session.ts'
import { type FactorRow, requireFactor } from './factor-row.ts'

const insufficientAal = { status: 422, message: 'AAL2 required to unenroll verified factor' }

/**
 * Takes a factor away from its owner. One that was never finished guards nothing and asks only for a sign-in that is complete.
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
 * Deletes a factor, whoever decided it, and lowers the sessions that it raised; their rows decide, not their tokens.
 * With the last one go the backup codes, which stood in for it, and nobody waits for a second step any longer.
 * @returns the factor as it was, or null when somebody was faster
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
 * A session that passed another second step too keeps its level. One that falls while another factor guards the account
 * owes that one: tokens from before it was raised would otherwise open what only a second step had opened.
 */
async function downgradeSessions(tx: Tx, factor: FactorRow, now: Date): Promise<void> {
  const raised = await tx
    .update(sessions)
    .set({ factorId: null, updatedAt: now })
    .where(and(eq(sessions.userId, factor.userId), eq(sessions.factorId, factor.id)))
    .returning({ id: sessions.id })
  if (raised.length === 0) return
  const ids = raised.map((session) => session.id)
  const inRaised = inArray(mfaAmrClaims.sessionId, ids)
  await tx
    .delete(mfaAmrClaims)
    .where(and(inRaised, eq(mfaAmrClaims.authenticationMethod, factorMethods[factor.factorType])))
  const others = await tx
    .select({ id: mfaAmrClaims.sessionId })
    .from(mfaAmrClaims)
    .where(
      and(inRaised, inArray(mfaAmrClaims.authenticationMethod, [...Object.values(factorMethods), backupCodeMethod])),
    )
  const kept = new Set(others.map((session) => session.id))
  const lowered = ids.filter((id) => !kept.has(id))
  if (lowered.length === 0) return
  const awaitsSecondFactor = await hasVerifiedFactor(tx, factor.userId)
  await tx.update(sessions).set({ aal: 'aal1', awaitsSecondFactor }).where(inArray(sessions.id, lowered))
}
