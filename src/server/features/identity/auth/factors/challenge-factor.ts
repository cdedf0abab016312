import { and, eq, lt, sql } from 'drizzle-orm'
import { z } from 'zod'
import { sqlState, type Tx, uniqueViolation } from '#server/db/database.ts'
import { mfaChallenges, mfaFactors } from '#server/db/schema/index.ts'
import type { Principal } from '#server/http/principal.ts'
import { AppError } from '#shared/errors.ts'
import type { AuthDeps } from '../auth-deps.ts'
import type { ClientInfo } from '../sessions/client-info.ts'
import { lockUser } from '../users/lock-user.ts'
import { refuseUnverifiedFactor } from './enroll-factor.ts'
import { challengeLifetimeMs, requireFactor } from './factor-row.ts'
import { requirePhoneEnabled, sendSmsCode } from './phone-factor.ts'
import { createKeyChallenge } from './webauthn-factor.ts'

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
