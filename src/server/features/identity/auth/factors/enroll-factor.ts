import { and, eq, inArray, lt } from 'drizzle-orm'
import { z } from 'zod'
import type { Config } from '#server/config/config.ts'
import { sqlState, type Tx, uniqueViolation } from '#server/db/database.ts'
import { backupCodes, mfaAmrClaims, mfaFactors, sessions, trustedDevices } from '#server/db/schema/index.ts'
import type { Principal } from '#server/http/principal.ts'
import { AppError } from '#shared/errors.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { requireMfaCompleted } from '../security/require-mfa-completed.ts'
import { notifySecurityChange } from '../security/security-event.ts'
import { requireMfaStepUp } from '../security/step-up.ts'
import type { ClientInfo } from '../sessions/client-info.ts'
import { backupCodeMethod, type FactorType, factorMethods, hasVerifiedFactor } from '../sessions/upgrade-session.ts'
import { lockUser } from '../users/lock-user.ts'
import { requireConfirmedEmail } from '../users/require-confirmed-email.ts'
import { type FactorRow, requireFactor } from './factor-row.ts'
import { requirePhone } from './phone-number.ts'
import { newTotp } from './totp.ts'

/** Key derivation context of the encryption of TOTP secrets. */
export const factorSecretPurpose = 'totp-secret'

const maxFactors = 10
/** Unverified factors older than this are replaced by a new enrollment. */
const staleMs = 5 * 60_000

const insufficientAal = { message: 'AAL2 required to enroll a new factor' }

export const enrollInput = z.object({
  factor_type: z.string().nullish(),
  friendly_name: z.string().max(100, 'A friendly name may have up to 100 characters').nullish(),
  issuer: z.string().max(100, 'An issuer may have up to 100 characters').nullish(),
  phone: z.string().max(40, 'Invalid phone number format (E.164 required)').nullish(),
})

type EnrollInput = z.output<typeof enrollInput>

/** Enrolls an unverified factor. The first verification activates it. The TOTP secret is returned here only. */
export async function enrollFactor(deps: AuthDeps, who: Principal, input: EnrollInput) {
  requireConfirmedEmail(who)
  const type = requireEnabledType(deps.config, input.factor_type)
  const phone = type === 'phone' ? requirePhone(input.phone) : null
  await requireMfaStepUp(deps, who, insufficientAal)
  const totp = type === 'totp' ? await newTotp(totpLabel(deps.config, who, input)) : null
  const id = crypto.randomUUID()
  const friendlyName = input.friendly_name ?? ''
  const now = deps.clock()
  try {
    await deps.database.db.transaction(async (tx) => {
      await prepareEnrollment(tx, who, phone, now)
      await tx.insert(mfaFactors).values({
        id,
        userId: who.userId,
        friendlyName,
        factorType: type,
        status: 'unverified',
        secret: totp && deps.secrets.seal(factorSecretPurpose, totp.secret),
        phone,
        createdAt: now,
        updatedAt: now,
      })
    })
  } catch (error) {
    if (sqlState(error) === uniqueViolation) throw new AppError('mfa_factor_name_conflict', { cause: error })
    throw error
  }
  return { id, type, friendly_name: friendlyName, ...(totp && { totp }), ...(phone && { phone }) }
}

/** Deletes stale factors and checks the limits. Locks the user's row, so that concurrent enrollments can't exceed them. */
async function prepareEnrollment(tx: Tx, who: Principal, phone: string | null, now: Date): Promise<void> {
  await lockUser(tx, who.userId)
  const unverified = and(eq(mfaFactors.userId, who.userId), eq(mfaFactors.status, 'unverified'))
  await tx.delete(mfaFactors).where(and(unverified, lt(mfaFactors.createdAt, new Date(now.getTime() - staleMs))))
  // Enrolling the same number again replaces the unverified factor.
  if (phone) await tx.delete(mfaFactors).where(and(unverified, eq(mfaFactors.phone, phone)))
  const factors = await tx.select().from(mfaFactors).where(eq(mfaFactors.userId, who.userId))
  checkLimits(factors, who, phone)
}

function checkLimits(factors: readonly FactorRow[], who: Principal, phone: string | null): void {
  if (factors.length >= maxFactors) throw new AppError('too_many_enrolled_mfa_factors')
  const verified = factors.filter((factor) => factor.status === 'verified')
  if (who.aal === 'aal1' && verified.length > 0) throw new AppError('insufficient_aal', insufficientAal)
  if (phone && verified.some((factor) => factor.phone === phone)) throw new AppError('mfa_verified_factor_exists')
}

/**
 * Refuses to challenge or verify an unverified factor in an aal1 session when the account already has a verified one:
 * otherwise a stolen password would be enough to enroll another factor. Call it with the user's row locked.
 */
export async function refuseUnverifiedFactor(tx: Tx, who: Principal, factor: FactorRow): Promise<AppError | null> {
  if (factor.status === 'verified' || who.aal === 'aal2') return null
  if (!who.awaitsSecondFactor && !(await hasVerifiedFactor(tx, who.userId))) return null
  return new AppError('insufficient_aal', { message: 'AAL2 required to set up another factor' })
}

const totpLabel = (config: Config, who: Principal, input: EnrollInput) => ({
  issuer: input.issuer || new URL(config.publicUrl).host,
  account: who.email,
})

function requireEnabledType(config: Config, factorType: string | null | undefined): FactorType {
  switch (factorType) {
    case 'totp':
    case 'webauthn':
      return factorType
    case 'phone':
      if (config.sms.kind === 'off') throw new AppError('mfa_phone_enroll_not_enabled')
      return factorType
    default:
      throw new AppError('validation_failed', { message: 'factor_type needs to be totp, phone or webauthn' })
  }
}

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
  if (factor.status === 'verified')
    await requireMfaStepUp(deps, who, { status: 422, message: 'AAL2 required to unenroll verified factor' })
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
