import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import { users, webauthnCredentials } from '#server/db/schema/index.ts'
import { AppError } from '#shared/errors.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { rememberSignInAddress } from '../limits/known-ip-addresses.ts'
import { recordSecurityEvent } from '../security/security-event.ts'
import type { ClientInfo } from '../sessions/client-info.ts'
import { createSession, type IssuedSession } from '../sessions/create-session.ts'
import { isBanned } from '../sessions/session-row.ts'
import { consumeChallenge, type PasskeyRow, storeChallenge } from './passkeys.ts'
import { requestOptions, type SignedCredential, signedCredential, toBytes, verifyAssertion } from './webauthn.ts'

type PasskeyDeps = Pick<AuthDeps, 'config' | 'database' | 'clock'>

export const passkeySignInInput = z.object({
  challenge_id: z.string({ error: 'challenge_id is required' }),
  credential: signedCredential,
})

/** Options for discoverable credentials: the authenticator selects the account. */
export async function createPasskeyChallenge(deps: PasskeyDeps) {
  const options = await requestOptions(deps.config, { userVerification: 'required' })
  const kept = await storeChallenge(deps.database, { type: 'authentication' }, options.challenge, deps.clock())
  return { challenge_id: kept.challenge_id, options, expires_at: kept.expires_at }
}

/**
 * Verifies the response to `createPasskeyChallenge`. Consumes the challenge. All failures give the same error.
 * @throws AppError webauthn_challenge_not_found, webauthn_challenge_expired, webauthn_verification_failed,
 * validation_failed if `credential` is malformed
 */
export async function verifyPasskey(
  deps: PasskeyDeps,
  answer: { challengeId: string; credential: unknown },
): Promise<{ userId: string; credentialId: string }> {
  const parsed = signedCredential.safeParse(answer.credential)
  if (!parsed.success) throw new AppError('validation_failed', { message: 'The credential isn’t valid' })
  const now = deps.clock()
  const challenge = await consumeChallenge(deps.database, { type: 'authentication' }, answer.challengeId, now)
  const passkey = await findPasskey(deps, parsed.data)
  const signed =
    passkey &&
    (await verifyAssertion(deps.config, {
      credential: parsed.data,
      key: { ...passkey, id: passkey.credentialId },
      challenge,
      requireUserVerification: true,
    }))
  if (!passkey || !signed) throw new AppError('webauthn_verification_failed')
  // Updates only if the counter is unchanged, so that concurrent uses of a cloned authenticator fail.
  const [used] = await deps.database.db
    .update(webauthnCredentials)
    .set({ signCount: signed.signCount, backedUp: signed.backedUp, lastUsedAt: now })
    .where(and(eq(webauthnCredentials.id, passkey.id), eq(webauthnCredentials.signCount, passkey.signCount)))
    .returning({ id: webauthnCredentials.id, userId: webauthnCredentials.userId })
  if (!used) throw new AppError('webauthn_verification_failed')
  return { userId: used.userId, credentialId: used.id }
}

/** Finds a passkey by credential id. The user handle must match its owner. */
async function findPasskey({ database }: PasskeyDeps, { id, response }: SignedCredential): Promise<PasskeyRow | null> {
  const [row] = await database.db
    .select()
    .from(webauthnCredentials)
    .where(eq(webauthnCredentials.credentialId, toBytes(id)))
  const handle = Buffer.from(response.userHandle ?? '', 'base64url').toString()
  return row && row.userId === handle ? row : null
}

/**
 * Signs in with a passkey. It counts as two factors, so no second factor is required.
 * @throws AppError as verifyPasskey; user_banned (403), email_not_confirmed (403)
 */
export async function signInWithPasskey(
  deps: AuthDeps,
  input: z.output<typeof passkeySignInInput>,
  client: ClientInfo,
): Promise<IssuedSession> {
  const { userId } = await verifyPasskey(deps, { challengeId: input.challenge_id, credential: input.credential })
  const now = deps.clock()
  return deps.database.db.transaction(async (tx) => {
    const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('no key update')
    if (!user || user.deletedAt) throw new AppError('webauthn_verification_failed')
    if (isBanned({ banned_until: user.bannedUntil }, now)) throw new AppError('user_banned')
    if (deps.config.auth.emailConfirmation === 'first' && !user.emailConfirmedAt) {
      throw new AppError('email_not_confirmed', { status: 403 })
    }
    await rememberSignInAddress(tx, { userId, client, now })
    const entry = { userId, email: user.email ?? '', client, note: 'with a passkey', now }
    await recordSecurityEvent(tx, { event: 'signed_in', ...entry })
    return createSession(tx, { userId, method: 'passkey', client, now })
  })
}
