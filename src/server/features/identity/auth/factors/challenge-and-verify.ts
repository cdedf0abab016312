import { and, eq, lt, sql } from 'drizzle-orm'
import { z } from 'zod'
import { sqlState, type Tx, uniqueViolation } from '#server/db/database.ts'
import { mfaChallenges, mfaFactors } from '#server/db/schema/index.ts'
import type { Principal } from '#server/http/principal.ts'
import { AppError } from '#shared/errors.ts'
import { type AuthDeps, isUuid } from '../auth-deps.ts'
import { failedMfaCodes } from '../limits/failed-mfa-codes.ts'
import { notifySecurityChange, recordSecurityEvent } from '../security/security-event.ts'
import type { ClientInfo } from '../sessions/client-info.ts'
import type { IssuedSession } from '../sessions/create-session.ts'
import { factorMethods, upgradeSession } from '../sessions/upgrade-session.ts'
import { lockUser } from '../users/lock-user.ts'
import { factorSecretPurpose, refuseUnverifiedFactor } from './enroll-factor.ts'
import { challengeLifetimeMs, type FactorRow, requireFactor } from './factor-row.ts'
import { isSmsCode, requirePhoneEnabled, sendSmsCode } from './phone-factor.ts'
import { acceptedStep } from './totp.ts'
import {
  createKeyChallenge,
  requireMatchingAnswer,
  verifyKey,
  type WebauthnAnswer,
  webauthnAnswer,
} from './webauthn-factor.ts'

/** Used and expired challenges are kept this long, for specific error messages. */
const retentionMs = 60 * 60_000

export const challengeInput = z.object({ channel: z.string().nullish() })

/** Creates a challenge for a factor. For a phone factor it sends a code by text message. */
export async function challengeFactor(
  deps: AuthDeps,
  who: Principal,
  factorId: string,
  request: { input: z.output<typeof challengeInput>; client: ClientInfo },
) {
  const factor = await requireFactor(deps, who.userId, factorId)
  if (factor.factorType === 'phone') requirePhoneEnabled(deps.config, request.input.channel)
  const webauthn = factor.factorType === 'webauthn' ? await createKeyChallenge(deps, who, factor) : null
  const id = crypto.randomUUID()
  const now = deps.clock()
  await deps.database.db.transaction(async (tx) => {
    await lockUser(tx, who.userId)
    const [present] = await tx.select().from(mfaFactors).where(eq(mfaFactors.id, factor.id))
    if (!present) throw new AppError('mfa_factor_not_found')
    const early = await refuseUnverifiedFactor(tx, who, present)
    if (early) throw early
    await tx
      .delete(mfaChallenges)
      .where(
        and(eq(mfaChallenges.factorId, factor.id), lt(mfaChallenges.createdAt, new Date(now.getTime() - retentionMs))),
      )
    const otpCode =
      factor.factorType === 'phone'
        ? await sendSmsCode(tx, deps, { factor, challengeId: id, client: request.client, now })
        : null
    await tx.insert(mfaChallenges).values({
      id,
      factorId: factor.id,
      createdAt: now,
      ipAddress: request.client.ip ?? '0.0.0.0',
      otpCode,
      webAuthnSessionData: webauthn && { challenge: webauthn.challenge },
    })
    await stampFactor(tx, factor.id, now)
  })
  return {
    id,
    type: factor.factorType,
    expires_at: Math.floor((now.getTime() + challengeLifetimeMs) / 1000),
    ...(webauthn && { webauthn: webauthn.asked }),
  }
}

/**
 * Sets `last_challenged_at`, which is unique across all factors. Random microseconds avoid most collisions; the rest are
 * ignored.
 */
async function stampFactor(tx: Tx, factorId: string, now: Date): Promise<void> {
  try {
    await tx.transaction((inner) =>
      inner
        .update(mfaFactors)
        .set({
          lastChallengedAt: sql`${now.toISOString()}::timestamptz + floor(random() * 1000) * interval '1 microsecond'`,
        })
        .where(eq(mfaFactors.id, factorId)),
    )
  } catch (error) {
    if (sqlState(error) !== uniqueViolation) throw error
  }
}

export const verifyFactorInput = z.object({
  challenge_id: z.string({ error: 'challenge_id is required' }),
  code: z.string().nullish(),
  webauthn: webauthnAnswer.nullish(),
})

type ChallengeRow = typeof mfaChallenges.$inferSelect
type Answer = { kind: 'code'; code: string } | { kind: 'key'; key: WebauthnAnswer }
type Attempt = { who: Principal; client: ClientInfo; factor: FactorRow; challenge: ChallengeRow; now: Date }

/**
 * Verifies the response to a challenge and upgrades the session to aal2. The first success activates the factor.
 * @throws AppError mfa_verification_failed, mfa_challenge_expired, mfa_ip_address_mismatch for a challenge that was already
 * used, mfa_factor_not_found, insufficient_aal, over_request_rate_limit, validation_failed
 */
export async function verifyFactor(
  deps: AuthDeps,
  who: Principal,
  factorId: string,
  request: { input: z.output<typeof verifyFactorInput>; client: ClientInfo },
): Promise<IssuedSession> {
  const { input, client } = request
  const { id, factorType } = await requireFactor(deps, who.userId, factorId)
  if (factorType === 'phone') requirePhoneEnabled(deps.config)
  const answer = requireAnswer(factorType, input)
  if (!isUuid(input.challenge_id)) throw unknownChallenge()

  const outcome = await deps.database.db.transaction(async (tx) => {
    // Serializes attempts: the second one sees the used challenge, the used time step and the counter.
    await lockUser(tx, who.userId)
    const now = deps.clock()
    const [factor] = await tx.select().from(mfaFactors).where(eq(mfaFactors.id, id))
    if (!factor) return new AppError('mfa_factor_not_found')
    const early = await refuseUnverifiedFactor(tx, who, factor)
    if (early) return early
    const challenge = await findChallenge(tx, factor, input.challenge_id, now)
    if (challenge instanceof AppError) return challenge
    const refusal = await checkAnswer(tx, deps, { who, client, factor, challenge, now }, answer)
    const entry = { userId: who.userId, email: who.email, client, note: factorType, now }
    if (refusal) {
      if (refusal.code === 'mfa_verification_failed')
        await recordSecurityEvent(tx, { event: 'second_factor_failed', ...entry })
      return refusal
    }
    const opened = await upgradeSession(tx, who, { method: factorMethods[factorType], factorId: id, client, now })
    if (opened instanceof AppError) return opened
    if (factor.status === 'verified') await recordSecurityEvent(tx, { event: 'second_factor_passed', ...entry })
    else {
      await finishEnrollment(tx, factor, now)
      await notifySecurityChange(tx, deps, { event: 'factor_enrolled', ...entry })
    }
    return opened
  })
  if (outcome instanceof AppError) throw outcome
  return outcome
}

function requireAnswer(factorType: FactorRow['factorType'], input: z.output<typeof verifyFactorInput>): Answer {
  if (factorType === 'webauthn') {
    if (!input.webauthn) throw new AppError('validation_failed', { message: 'webauthn is required' })
    return { kind: 'key', key: input.webauthn }
  }
  const code = input.code?.trim()
  if (!code) throw new AppError('validation_failed', { message: 'code is required' })
  return { kind: 'code', code }
}

const unknownChallenge = () =>
  new AppError('mfa_factor_not_found', { status: 422, message: 'MFA factor with the provided challenge ID not found' })

async function findChallenge(tx: Tx, factor: FactorRow, id: string, now: Date): Promise<ChallengeRow | AppError> {
  const [challenge] = await tx
    .select()
    .from(mfaChallenges)
    .where(and(eq(mfaChallenges.id, id), eq(mfaChallenges.factorId, factor.id)))
  if (!challenge) return unknownChallenge()
  if (challenge.verifiedAt) return new AppError('mfa_ip_address_mismatch')
  if (now.getTime() - challenge.createdAt.getTime() > challengeLifetimeMs) return new AppError('mfa_challenge_expired')
  return challenge
}

/** Returns errors instead of throwing them, so that the failure counter is committed. */
async function checkAnswer(tx: Tx, deps: AuthDeps, attempt: Attempt, answer: Answer): Promise<AppError | null> {
  if (answer.kind === 'key') return verifyKeyOnce(tx, deps, attempt, answer.key)
  const { who, client, factor, challenge, now } = attempt
  const method = factor.factorType === 'phone' ? 'phone' : 'totp'
  const failures = await failedMfaCodes(tx, { who, client, method, now })
  if (await failures.isLocked()) return new AppError('over_request_rate_limit')
  const used =
    method === 'phone'
      ? isSmsCode(deps, challenge, answer.code) && { verifiedAt: now, otpCode: null }
      : await verifyTotp(tx, deps, attempt, answer.code)
  if (!used) {
    await failures.add()
    return new AppError('mfa_verification_failed', {
      message: method === 'phone' ? 'Invalid MFA Phone code entered' : undefined,
    })
  }
  await failures.clear()
  await tx.update(mfaChallenges).set(used).where(eq(mfaChallenges.id, challenge.id))
  return null
}

/** Stores the time step of each used TOTP code in `otp_code` of its challenge, so that no code is accepted twice. */
async function verifyTotp(tx: Tx, deps: AuthDeps, { factor, now }: Attempt, code: string) {
  const challenges = await tx.select().from(mfaChallenges).where(eq(mfaChallenges.factorId, factor.id))
  const steps = challenges.flatMap((each) => (each.otpCode ? [Number(each.otpCode)] : []))
  const secret = deps.secrets.open(factorSecretPurpose, factor.secret ?? '')
  const step = acceptedStep(secret, code, steps.length > 0 ? Math.max(...steps) : null, now)
  return step !== null && { verifiedAt: now, otpCode: String(step) }
}

/** Consumes the challenge even if the signature is wrong. */
async function verifyKeyOnce(
  tx: Tx,
  deps: AuthDeps,
  attempt: Attempt,
  answer: WebauthnAnswer,
): Promise<AppError | null> {
  const { factor, challenge, now } = attempt
  requireMatchingAnswer(factor, answer)
  await tx.update(mfaChallenges).set({ verifiedAt: now }).where(eq(mfaChallenges.id, challenge.id))
  const asked = z.object({ challenge: z.string() }).parse(challenge.webAuthnSessionData)
  const isValid = await verifyKey(tx, deps, factor, { challenge: asked.challenge, answer })
  return isValid
    ? null
    : new AppError('mfa_verification_failed', { message: 'We couldn’t verify the security key. Try again.' })
}

/** Activates the factor and deletes all other unverified ones. */
async function finishEnrollment(tx: Tx, factor: FactorRow, now: Date): Promise<void> {
  await tx.update(mfaFactors).set({ status: 'verified', updatedAt: now }).where(eq(mfaFactors.id, factor.id))
  await tx.delete(mfaFactors).where(and(eq(mfaFactors.userId, factor.userId), eq(mfaFactors.status, 'unverified')))
}
