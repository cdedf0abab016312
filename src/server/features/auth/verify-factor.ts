import { and, eq, isNotNull, ne } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '#server/db/database.ts'
import {
  mfaAmrClaims,
  mfaChallenges,
  mfaFactors,
  rateLimits,
  refreshTokens,
  sessions,
} from '#server/db/schema/index.ts'
import type { Principal } from '#server/http/principal.ts'
import { AppError } from '#shared/errors.ts'
import { addPoint, clearPoints } from './account-counters.ts'
import type { AuthDeps } from './auth-deps.ts'
import { challengeLifetimeMs, requireFactor } from './challenge-factor.ts'
import { factorSecretPurpose } from './enroll-factor.ts'
import { isUuid } from './is-uuid.ts'
import { type OpenedSession, startRefreshFamily } from './open-session.ts'
import { ProtocolError } from './protocol-error.ts'
import { acceptedStep } from './totp.ts'

export const verifyFactorInput = z.object({
  challenge_id: z.string({ error: 'challenge_id is required' }),
  code: z.string().nullish(),
})

/** Wrong codes that a factor may collect; whoever types them already knows the password. */
const wrongCodes = { points: 10, windowSeconds: 15 * 60 }

type FactorRow = typeof mfaFactors.$inferSelect
type ChallengeRow = typeof mfaChallenges.$inferSelect

/**
 * Checks a code and raises the session to aal2. Its tokens are replaced, so that what was copied before stays below;
 * the user's other sessions that lack the second factor end.
 */
export async function verifyFactor(
  deps: AuthDeps,
  who: Principal,
  factorId: string,
  input: z.output<typeof verifyFactorInput>,
): Promise<OpenedSession> {
  const { id, factorType } = await requireFactor(deps, who.userId, factorId)
  if (factorType !== 'totp') throw new ProtocolError('mfa_webauthn_verify_not_enabled')
  const code = input.code?.trim()
  if (!code) throw new AppError('validation_failed', { message: 'code is required' })
  if (!isUuid(input.challenge_id)) throw unknownChallenge()
  const given = { code, challengeId: input.challenge_id }
  const outcome = await deps.database.db.transaction(async (tx) => {
    // The factor's row is locked: of two tries with one code, the second sees the step used and the count raised.
    const [factor] = await tx.select().from(mfaFactors).where(eq(mfaFactors.id, id)).for('update')
    if (!factor) return new AppError('mfa_factor_not_found')
    const refusal = await checkCode(tx, deps, factor, given)
    return refusal ?? raiseSession(tx, who, factor, deps.clock())
  })
  if (outcome instanceof AppError) throw outcome
  return outcome
}

const unknownChallenge = () =>
  new AppError('mfa_factor_not_found', { status: 422, message: 'MFA factor with the provided challenge ID not found' })

/** Returns a refusal instead of throwing it: the count of wrong codes must outlive the transaction. */
async function checkCode(
  tx: Tx,
  deps: AuthDeps,
  factor: FactorRow,
  { code, challengeId }: { code: string; challengeId: string },
): Promise<AppError | null> {
  const now = deps.clock()
  const counter = `factor:${factor.id}`
  const [count] = await tx.select().from(rateLimits).where(eq(rateLimits.key, counter))
  if (count && count.expiresAt > now && count.points >= wrongCodes.points)
    return new AppError('over_request_rate_limit')

  const challenges = await tx.select().from(mfaChallenges).where(eq(mfaChallenges.factorId, factor.id))
  const challenge = challenges.find((each) => each.id === challengeId.toLowerCase())
  if (!challenge || challenge.verifiedAt) return unknownChallenge()
  if (now.getTime() - challenge.createdAt.getTime() > challengeLifetimeMs) return new AppError('mfa_challenge_expired')

  const secret = deps.secrets.open(factorSecretPurpose, factor.secret ?? '')
  const step = acceptedStep(secret, code, lastStep(challenges), now)
  if (step === null) {
    await addPoint(tx, counter, wrongCodes.windowSeconds, now)
    return new AppError('mfa_verification_failed')
  }
  await clearPoints(tx, counter)
  // Spent challenges remember the latest step in the column that is meant for codes; older ones have served.
  await tx.delete(mfaChallenges).where(and(eq(mfaChallenges.factorId, factor.id), isNotNull(mfaChallenges.verifiedAt)))
  await tx
    .update(mfaChallenges)
    .set({ verifiedAt: now, otpCode: String(step) })
    .where(eq(mfaChallenges.id, challenge.id))
  return null
}

function lastStep(challenges: readonly ChallengeRow[]): number | null {
  const steps = challenges.flatMap((challenge) => (challenge.otpCode ? [Number(challenge.otpCode)] : []))
  return steps.length > 0 ? Math.max(...steps) : null
}

async function raiseSession(tx: Tx, who: Principal, factor: FactorRow, now: Date): Promise<OpenedSession | AppError> {
  const { userId, sessionId } = who
  const stamps = { createdAt: now, updatedAt: now }
  const raised = await tx
    .update(sessions)
    .set({ aal: 'aal2', factorId: factor.id, updatedAt: now })
    .where(eq(sessions.id, sessionId))
    .returning({ id: sessions.id })
  if (raised.length === 0) return new AppError('session_not_found')
  await tx
    .insert(mfaAmrClaims)
    .values({ id: crypto.randomUUID(), sessionId, authenticationMethod: 'totp', ...stamps })
    .onConflictDoUpdate({ target: [mfaAmrClaims.sessionId, mfaAmrClaims.authenticationMethod], set: stamps })
  await tx.delete(refreshTokens).where(eq(refreshTokens.sessionId, sessionId))
  const refreshToken = await startRefreshFamily(tx, { userId, sessionId, now })

  await tx
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), ne(sessions.id, sessionId), eq(sessions.aal, 'aal1')))
  await tx.update(mfaFactors).set({ status: 'verified', updatedAt: now }).where(eq(mfaFactors.id, factor.id))
  await tx
    .delete(mfaFactors)
    .where(
      and(
        eq(mfaFactors.userId, userId),
        eq(mfaFactors.factorType, factor.factorType),
        eq(mfaFactors.status, 'unverified'),
      ),
    )
  return { userId, sessionId, refreshToken }
}
