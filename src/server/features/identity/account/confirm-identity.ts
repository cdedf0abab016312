import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Tx } from '#server/db/database.ts'
import { users } from '#server/db/schema/index.ts'
import { consumeReauthenticationNonce } from '#server/features/identity/auth/email-flows/change-email.ts'
import {
  consumeReauthenticationAttempt,
  resetReauthenticationAttempts,
} from '#server/features/identity/auth/limits/reauthentication-attempts.ts'
import { verifyPasskey } from '#server/features/identity/auth/passkeys/verify-passkey.ts'
import { recordSecurityEvent } from '#server/features/identity/auth/security/security-event.ts'
import { amrClaimStatement, readStepUp } from '#server/features/identity/auth/security/step-up.ts'
import type { Caller, Principal } from '#server/http/principal.ts'
import type { confirmIdentityCall } from '#shared/contracts/identity/account-security.ts'
import { AppError } from '#shared/errors.ts'
import type { AccountDeps } from './account-sessions.ts'

type Credential = z.output<typeof confirmIdentityCall.input>

/** Names of the methods in the session's `amr` claim. */
const amrMethods = { password: 'password', 'email-code': 'otp', passkey: 'passkey' } as const

/**
 * Checks a credential and unlocks sensitive settings for this session until `validUntil`. Counts the attempt first.
 * @throws AppError reauthentication_failed, insufficient_aal if the account requires its second factor, over_request_rate_limit
 */
export async function confirmIdentity(
  deps: AccountDeps,
  asking: Caller,
  credential: Credential,
): Promise<{ validUntil: string }> {
  const who = asking
  const now = deps.clock()
  if (credential.method !== 'passkey') await requireNoFactor(deps, who)
  await consumeReauthenticationAttempt(deps.database.db, who.userId, now)
  const consume = await checkCredential(deps, who, credential)
  await deps.database.db.transaction(async (tx) => {
    if (!(await consume(tx, now))) throw new AppError('reauthentication_failed')
    await tx.execute(amrClaimStatement(who.sessionId, amrMethods[credential.method], now))
    await resetReauthenticationAttempts(tx, who.userId)
    await recordSecurityEvent(tx, {
      event: 'identity_confirmed',
      userId: who.userId,
      email: who.email,
      client: who.client,
      note: notes[credential.method],
      now,
    })
  })
  const { validUntil } = await readStepUp(deps, who)
  if (!validUntil) throw new AppError('insufficient_aal', { message: factorRequired })
  return { validUntil: validUntil.toISOString() }
}

const notes = {
  password: 'with the password',
  'email-code': 'with an email code',
  passkey: 'with a passkey',
} as const satisfies Record<Credential['method'], string>

/** Consumes a one-time credential inside the transaction; false if it is invalid or already used. */
type Consume = (tx: Tx, now: Date) => Promise<boolean>

/** Runs slow checks before the transaction starts. */
async function checkCredential(deps: AccountDeps, who: Principal, credential: Credential): Promise<Consume> {
  switch (credential.method) {
    case 'password':
      if (!(await isPassword(deps, who.userId, credential.password))) throw new AppError('reauthentication_failed')
      return async () => true
    case 'email-code':
      return (tx, now) =>
        consumeReauthenticationNonce(tx, deps, { userId: who.userId, email: who.email, nonce: credential.code, now })
    case 'passkey':
      if (!(await isOwnPasskey(deps, who.userId, credential))) throw new AppError('reauthentication_failed')
      return async () => true
  }
}

async function isPassword({ database, hasher }: AccountDeps, userId: string, password: string): Promise<boolean> {
  const [user] = await database.db.select({ hash: users.encryptedPassword }).from(users).where(eq(users.id, userId))
  return hasher.verify(user?.hash, password)
}

/** Errors about the challenge itself pass through, so that the client starts a new one. */
async function isOwnPasskey(deps: AccountDeps, userId: string, credential: Extract<Credential, { method: 'passkey' }>) {
  try {
    return (await verifyPasskey(deps, credential)).userId === userId
  } catch (error) {
    if (error instanceof AppError && error.code === 'webauthn_verification_failed') return false
    throw error
  }
}

const factorRequired = 'Confirm with your second factor.'

/** With a second factor set up, a password or an email code alone doesn't unlock settings. */
async function requireNoFactor(deps: AccountDeps, who: Principal) {
  const { hasFactor } = await readStepUp(deps, who)
  if (hasFactor) throw new AppError('insufficient_aal', { message: factorRequired })
}
