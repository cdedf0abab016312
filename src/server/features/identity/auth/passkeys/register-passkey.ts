import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { type Db, sqlState, type Tx, uniqueViolation } from '#server/db/database.ts'
import { webauthnCredentials } from '#server/db/schema/index.ts'
import type { Principal } from '#server/http/principal.ts'
import { AppError } from '#shared/errors.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { notifySecurityChange } from '../security/security-event.ts'
import { requireMfaStepUp } from '../security/step-up.ts'
import type { ClientInfo } from '../sessions/client-info.ts'
import { lockUser } from '../users/lock-user.ts'
import { requireConfirmedEmail } from '../users/require-confirmed-email.ts'
import { consumeChallenge, insufficientAalForPasskeys, storeChallenge, toWirePasskey } from './passkeys.ts'
import { createdCredential, creationOptions, verifyRegistration } from './webauthn.ts'

const maxPasskeys = 10

export const registerPasskeyInput = z.object({
  challenge_id: z.string({ error: 'challenge_id is required' }),
  credential: createdCredential,
})

/** @throws AppError email_not_confirmed, insufficient_aal, reauthentication_needed, too_many_passkeys */
export async function startPasskeyRegistration(deps: AuthDeps, who: Principal) {
  requireConfirmedEmail(who)
  await requireMfaStepUp(deps, who, insufficientAalForPasskeys)
  const known = await knownPasskeys(deps.database.db, who.userId)
  const options = await creationOptions(deps.config, {
    user: { id: who.userId, name: who.email || 'Your account' },
    exclude: known.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    selection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  })
  const kept = await storeChallenge(deps.database, registrationOf(who), options.challenge, deps.clock())
  return { challenge_id: kept.challenge_id, options, expires_at: kept.expires_at }
}

const registrationOf = ({ userId, sessionId }: Principal) => ({ type: 'registration' as const, userId, sessionId })

/**
 * Stores a new passkey. Step-up was checked when the registration started; only the same session can finish it.
 * @throws AppError webauthn_challenge_not_found, webauthn_challenge_expired, webauthn_verification_failed,
 * webauthn_credential_exists, too_many_passkeys
 */
export async function finishPasskeyRegistration(
  deps: AuthDeps,
  who: Principal,
  request: { input: z.output<typeof registerPasskeyInput>; client: ClientInfo },
) {
  const { challenge_id: challengeId, credential } = request.input
  const now = deps.clock()
  const challenge = await consumeChallenge(deps.database, registrationOf(who), challengeId, now)
  const key = await verifyRegistration(deps.config, { credential, challenge, requireUserVerification: true })
  if (!key) throw new AppError('webauthn_verification_failed')
  try {
    return await deps.database.db.transaction(async (tx) => {
      await lockUser(tx, who.userId)
      await knownPasskeys(tx, who.userId)
      const row = {
        id: crypto.randomUUID(),
        friendlyName: '',
        createdAt: now,
        lastUsedAt: null,
      }
      await tx.insert(webauthnCredentials).values({
        ...row,
        userId: who.userId,
        credentialId: key.id,
        publicKey: key.publicKey,
        attestationType: 'none',
        aaguid: key.aaguid,
        signCount: key.signCount,
        transports: key.transports,
        backupEligible: key.backupEligible,
        backedUp: key.backedUp,
        updatedAt: now,
      })
      const change = { userId: who.userId, email: who.email, client: request.client, now }
      await notifySecurityChange(tx, deps, { event: 'passkey_added', ...change })
      return toWirePasskey(row)
    })
  } catch (error) {
    if (sqlState(error) === uniqueViolation) throw new AppError('webauthn_credential_exists', { cause: error })
    throw error
  }
}

/** @throws AppError too_many_passkeys */
async function knownPasskeys(db: Db | Tx, userId: string) {
  const known = await db.select().from(webauthnCredentials).where(eq(webauthnCredentials.userId, userId))
  if (known.length >= maxPasskeys) throw new AppError('too_many_passkeys')
  return known
}
