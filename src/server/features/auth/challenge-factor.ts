import { and, eq, sql } from 'drizzle-orm'
import { mfaChallenges, mfaFactors } from '#server/db/schema/index.ts'
import { sqlState, uniqueViolation } from '#server/db/sql-state.ts'
import { AppError } from '#shared/errors.ts'
import type { AuthDeps } from './auth-deps.ts'
import type { ClientFacts } from './client-facts.ts'
import { isUuid } from './is-uuid.ts'

export const challengeLifetimeMs = 5 * 60_000

/** @throws AppError mfa_factor_not_found; validation_failed as 404 when the id is none */
export async function requireFactor({ database }: Pick<AuthDeps, 'database'>, userId: string, factorId: string) {
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

export async function challengeFactor(deps: AuthDeps, userId: string, factorId: string, client: ClientFacts) {
  const factor = await requireFactor(deps, userId, factorId)
  const id = crypto.randomUUID()
  const now = deps.clock()
  await deps.database.db
    .insert(mfaChallenges)
    .values({ id, factorId: factor.id, createdAt: now, ipAddress: client.ip ?? '0.0.0.0' })
  await stampFactor(deps, factor.id, now)
  return {
    id,
    type: factor.factorType,
    expires_at: Math.floor((now.getTime() + challengeLifetimeMs) / 1000),
  }
}

/**
 * The hosted column is unique among all factors. A few microseconds keep two that were challenged in the same
 * millisecond apart, and should they still meet, the stamp is not worth a failure.
 */
async function stampFactor({ database }: AuthDeps, factorId: string, now: Date): Promise<void> {
  try {
    await database.db
      .update(mfaFactors)
      .set({
        lastChallengedAt: sql`${now.toISOString()}::timestamptz + floor(random() * 1000) * interval '1 microsecond'`,
      })
      .where(eq(mfaFactors.id, factorId))
  } catch (error) {
    if (sqlState(error) !== uniqueViolation) throw error
  }
}
