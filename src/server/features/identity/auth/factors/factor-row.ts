import { and, eq } from 'drizzle-orm'
import { mfaFactors } from '#server/db/schema/index.ts'
import { AppError } from '#shared/errors.ts'
import { type AuthDeps, isUuid } from '../auth-deps.ts'

export const challengeLifetimeMs = 5 * 60_000

export type FactorRow = typeof mfaFactors.$inferSelect

/** @throws AppError mfa_factor_not_found; validation_failed (404) if the id isn't a UUID */
export async function requireFactor(
  { database }: Pick<AuthDeps, 'database'>,
  userId: string,
  factorId: string,
): Promise<FactorRow> {
  if (!isUuid(factorId)) {
    throw new AppError('validation_failed', { status: 404, message: 'factor_id must be a UUID' })
  }
  const [factor] = await database.db
    .select()
    .from(mfaFactors)
    .where(and(eq(mfaFactors.id, factorId), eq(mfaFactors.userId, userId)))
  if (!factor) throw new AppError('mfa_factor_not_found')
  return factor
}
