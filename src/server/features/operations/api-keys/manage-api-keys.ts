import { createHash, randomBytes } from 'node:crypto'
import { and, desc, eq, isNull } from 'drizzle-orm'
import type { z } from 'zod'
import { apiKeys } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { displayName } from '#server/features/identity/auth/security/editor.ts'
import { lockOwners } from '#server/features/identity/auth/users/staff-roles.ts'
import type { Caller } from '#server/http/principal.ts'
import type { ApiKey, adminCreateApiKeyCall } from '#shared/contracts/operations/api-keys.ts'
import { type ApiScope, apiScopeNames } from '#shared/contracts/operations/public-api.ts'
import { changesBetween } from '#shared/domain/changed-fields.ts'
import { dayMs } from '#shared/domain/durations.ts'
import { AppError } from '#shared/errors.ts'

type KeyDeps = Pick<Deps, 'config' | 'database' | 'clock'>
export type ApiKeyRow = typeof apiKeys.$inferSelect

const shownLength = 11

/** A key has 256 random bits, so a fast hash is enough. */
export const hashApiKey = (key: string): string => createHash('sha256').update(key).digest('hex')

export const isActive = ({ revokedAt, expiresAt }: ApiKeyRow, now: Date) =>
  !revokedAt && (!expiresAt || expiresAt > now)

/** Leaves out scopes that don't exist anymore. */
export const scopesOf = ({ scopes }: Pick<ApiKeyRow, 'scopes'>): ApiScope[] =>
  apiScopeNames.filter((scope) => scopes.includes(scope))

export async function listApiKeys({ database, clock }: KeyDeps): Promise<{ items: ApiKey[] }> {
  const rows = await database.db.select().from(apiKeys).orderBy(desc(apiKeys.createdAt), desc(apiKeys.id))
  const now = clock()
  return {
    items: rows.map((row) => ({
      id: row.id,
      name: row.name,
      prefix: row.prefix,
      scopes: scopesOf(row),
      createdBy: row.createdBy,
      createdAt: row.createdAt.toISOString(),
      expiresAt: row.expiresAt?.toISOString() ?? null,
      lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
      status: row.revokedAt ? 'revoked' : isActive(row, now) ? 'active' : 'expired',
    })),
  }
}

/**
 * A second submit creates no second key: names of active keys are unique.
 * @returns the key, of which only the hash is stored
 * @throws AppError validation_failed for a name in use
 */
export async function createApiKey(
  deps: KeyDeps,
  who: Caller,
  { name, scopes, expiresInDays }: z.output<typeof adminCreateApiKeyCall.input>,
) {
  const now = deps.clock()
  const key = `fc_${randomBytes(32).toString('base64url')}`
  const id = crypto.randomUUID()
  const expiresAt = expiresInDays === null ? null : new Date(now.getTime() + expiresInDays * dayMs)
  const wanted = apiScopeNames.filter((scope) => scopes.includes(scope))
  await deps.database.db.transaction(async (tx) => {
    await lockOwners(tx)
    const sameName = await tx
      .select()
      .from(apiKeys)
      .where(and(eq(apiKeys.name, name), isNull(apiKeys.revokedAt)))
    if (sameName.some((row) => isActive(row, now))) {
      throw new AppError('validation_failed', { message: 'An active key has this name already. Choose another one.' })
    }
    await tx.insert(apiKeys).values({
      id,
      name,
      prefix: key.slice(0, shownLength),
      keyHash: hashApiKey(key),
      scopes: wanted,
      createdBy: displayName(who.name, 'Owner'),
      createdById: who.userId,
      createdAt: now,
      expiresAt,
    })
    await recordAdminEvent(tx, who, {
      event: 'api_key_created',
      object: { kind: 'api-key', id, name },
      changes: changesBetween({}, { scopes: wanted, expiresAt: expiresAt?.toISOString() }),
      now,
    })
  })
  return { id, key }
}

/** @throws AppError not_found */
export async function revokeApiKey(deps: KeyDeps, who: Caller, id: string) {
  const now = deps.clock()
  await deps.database.db.transaction(async (tx) => {
    const [revoked] = await tx
      .update(apiKeys)
      .set({ revokedAt: now })
      .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)))
      .returning()
    if (!revoked) throw new AppError('not_found')
    await recordAdminEvent(tx, who, {
      event: 'api_key_revoked',
      object: { kind: 'api-key', id, name: revoked.name },
      changes: [{ field: 'key', before: 'active', after: 'revoked' }],
      now,
    })
  })
  return {}
}
