import { and, eq, inArray } from 'drizzle-orm'
import { mfaAmrClaims, mfaFactors, sessions } from '#server/db/schema/index.ts'
import type { Principal } from '#server/http/principal.ts'
import { AppError } from '#shared/errors.ts'
import type { AuthDeps } from './auth-deps.ts'
import { requireFactor } from './challenge-factor.ts'

/** Takes a factor away, and with it the level of the sessions that it raised; their rows decide, not their tokens. */
export async function removeFactor(deps: AuthDeps, who: Principal, factorId: string): Promise<{ id: string }> {
  const factor = await requireFactor(deps, who.userId, factorId)
  if (factor.status === 'verified' && who.aal === 'aal1') {
    throw new AppError('insufficient_aal', { status: 422, message: 'AAL2 required to unenroll verified factor' })
  }
  const now = deps.clock()
  await deps.database.db.transaction(async (tx) => {
    const lowered = await tx
      .update(sessions)
      .set({ aal: 'aal1', factorId: null, updatedAt: now })
      .where(and(eq(sessions.userId, who.userId), eq(sessions.factorId, factor.id)))
      .returning({ id: sessions.id })
    if (lowered.length > 0) {
      const ids = lowered.map((session) => session.id)
      await tx
        .delete(mfaAmrClaims)
        .where(and(inArray(mfaAmrClaims.sessionId, ids), eq(mfaAmrClaims.authenticationMethod, 'totp')))
    }
    await tx.delete(mfaFactors).where(eq(mfaFactors.id, factor.id))
  })
  return { id: factor.id }
}
