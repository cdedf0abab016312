import { and, eq, lt } from 'drizzle-orm'
import { z } from 'zod'
import { mfaFactors, users } from '#server/db/schema/index.ts'
import { sqlState, uniqueViolation } from '#server/db/sql-state.ts'
import type { Principal } from '#server/http/principal.ts'
import { AppError } from '#shared/errors.ts'
import type { AuthDeps } from './auth-deps.ts'
import { newTotp } from './totp.ts'

/** Separates the key that factor secrets are sealed with. */
export const factorSecretPurpose = 'totp-secret'

const maxFactors = 10
/** An enrolment that nobody finished within this time only stands in the way. */
const staleMs = 5 * 60_000

export const enrollInput = z.object({
  factor_type: z.string().nullish(),
  friendly_name: z.string().max(100, 'A friendly name may have up to 100 characters').nullish(),
  issuer: z.string().max(100, 'An issuer may have up to 100 characters').nullish(),
})

/**
 * Begins a second factor; it counts once a first code has proven that the app is set up. The secret leaves the server
 * here and never again.
 */
export async function enrollFactor(deps: AuthDeps, who: Principal, input: z.output<typeof enrollInput>) {
  requireTotp(input.factor_type)
  const issuer = input.issuer || new URL(deps.config.publicUrl).host
  const totp = await newTotp({ issuer, account: who.email })
  const friendlyName = input.friendly_name ?? ''
  const id = crypto.randomUUID()
  const now = deps.clock()
  try {
    await deps.database.db.transaction(async (tx) => {
      // The user's row stands for their factors: two enrolments at once cannot pass the maximum together.
      await tx.select({ id: users.id }).from(users).where(eq(users.id, who.userId)).for('update')
      await tx
        .delete(mfaFactors)
        .where(
          and(
            eq(mfaFactors.userId, who.userId),
            eq(mfaFactors.status, 'unverified'),
            lt(mfaFactors.createdAt, new Date(now.getTime() - staleMs)),
          ),
        )
      const factors = await tx.select().from(mfaFactors).where(eq(mfaFactors.userId, who.userId))
      if (factors.length >= maxFactors) throw new AppError('too_many_enrolled_mfa_factors')
      if (who.aal === 'aal1' && factors.some((factor) => factor.status === 'verified')) {
        throw new AppError('insufficient_aal', { message: 'AAL2 required to enroll a new factor' })
      }
      await tx.insert(mfaFactors).values({
        id,
        userId: who.userId,
        friendlyName,
        factorType: 'totp',
        status: 'unverified',
        secret: deps.secrets.seal(factorSecretPurpose, totp.secret),
        createdAt: now,
        updatedAt: now,
      })
    })
  } catch (error) {
    if (sqlState(error) === uniqueViolation) throw new AppError('mfa_factor_name_conflict', { cause: error })
    throw error
  }
  return { id, type: 'totp' as const, friendly_name: friendlyName, totp }
}

function requireTotp(factorType: string | null | undefined): void {
  switch (factorType) {
    case 'totp':
      return
    case 'phone':
      throw new AppError('mfa_phone_enroll_not_enabled')
    case 'webauthn':
      throw new AppError('mfa_webauthn_enroll_not_enabled')
    default:
      throw new AppError('validation_failed', { message: 'factor_type needs to be totp, phone or webauthn' })
  }
}
