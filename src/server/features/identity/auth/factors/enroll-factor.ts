import { and, eq, lt } from 'drizzle-orm'
import { z } from 'zod'
import type { Config } from '#server/config/config.ts'
import { sqlState, type Tx, uniqueViolation } from '#server/db/database.ts'
import { mfaFactors } from '#server/db/schema/index.ts'
import type { Principal } from '#server/http/principal.ts'
import { AppError } from '#shared/errors.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { requireMfaStepUp } from '../security/step-up.ts'
import { type FactorType, hasVerifiedFactor } from '../sessions/upgrade-session.ts'
import { lockUser } from '../users/lock-user.ts'
import { requireConfirmedEmail } from '../users/require-confirmed-email.ts'
import type { FactorRow } from './factor-row.ts'
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
