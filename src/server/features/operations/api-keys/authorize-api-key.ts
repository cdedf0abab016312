import { and, eq, isNull, lt, or } from 'drizzle-orm'
import { apiKeys } from '#server/db/schema/index.ts'
import type { Deps } from '#server/deps.ts'
import { consumePoint } from '#server/features/identity/auth/limits/rate-limit-counters.ts'
import type { ApiScope } from '#shared/contracts/operations/public-api.ts'
import { minuteMs } from '#shared/domain/durations.ts'
import { AppError } from '#shared/errors.ts'
import { type ApiKeyRow, hashApiKey, isActive, scopesOf } from './manage-api-keys.ts'

/** Requests per key. */
const limit = { points: 300, windowSeconds: 60 }

/**
 * The key of a request, from `Authorization: Bearer fc_…`.
 * @throws AppError invalid_api_key, scope_missing, over_request_rate_limit
 */
export async function authorizeApiKey(
  { database: { db }, clock }: Pick<Deps, 'database' | 'clock'>,
  authorization: string | undefined,
  scope: ApiScope,
): Promise<ApiKeyRow> {
  const [, given] = /^bearer (fc_[\w-]{43})$/i.exec(authorization ?? '') ?? []
  if (!given) throw new AppError('invalid_api_key')
  const now = clock()
  const [key] = await db
    .select()
    .from(apiKeys)
    .where(eq(apiKeys.keyHash, hashApiKey(given)))
  if (!key || !isActive(key, now)) throw new AppError('invalid_api_key')
  const { points, expiresAt } = await consumePoint(db, `api-key:${key.id}`, limit.windowSeconds, now)
  if (points > limit.points) {
    const retryAfterSeconds = Math.max(1, Math.ceil((expiresAt.getTime() - now.getTime()) / 1000))
    throw new AppError('over_request_rate_limit', { retryAfterSeconds })
  }
  if (!scopesOf(key).includes(scope)) throw new AppError('scope_missing', { extra: { scope } })
  // Once a minute, so that not every request writes it.
  const isOld = or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, new Date(now.getTime() - minuteMs)))
  await db
    .update(apiKeys)
    .set({ lastUsedAt: now })
    .where(and(eq(apiKeys.id, key.id), isOld))
  return key
}
