import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Tx } from '#server/db/database.ts'
import { users } from '#server/db/schema/index.ts'
import { consumeReauthenticationNonce } from '#server/features/auth/email-flows/reauthenticate.ts'
import {
  consumeReauthenticationAttempt,
  resetReauthenticationAttempts,
} from '#server/features/auth/limits/reauthentication-attempts.ts'
import { verifyPasskey } from '#server/features/auth/passkeys/verify-passkey.ts'
import { recordSecurityEvent } from '#server/features/auth/security/security-event.ts'
import { amrClaimStatement, readStepUp } from '#server/features/auth/security/step-up.ts'
import { type CallerContext, callerInfo } from '#server/features/auth/sessions/client-info.ts'
import type { Principal } from '#server/http/principal.ts'
import type { confirmIdentityCall } from '#shared/contracts/account-security.ts'
import { AppError } from '#shared/errors.ts'
import type { AccountDeps } from './account-deps.ts'

type Proof = z.output<typeof confirmIdentityCall.input>

/** As the session's list of methods names each proof. */
const amrMethods = { password: 'password', 'mailed-code': 'otp', passkey: 'passkey' } as const

/**
 * Takes a proof of who is in front of the screen and opens sensitive settings of this session for a while. A try counts
 * before it is looked at, and a wrong one is told nothing but that.
 * @throws AppError reauthentication_failed, insufficient_aal for a proof that is too little for the account, over_request_rate_limit
 */
export async function confirmIdentity(
  deps: AccountDeps,
  asking: CallerContext,
  proof: Proof,
): Promise<{ validUntil: string }> {
  const { who, request } = asking
  const now = deps.clock()
  if (proof.method !== 'passkey') await requireEnough(deps, who)
  await consumeReauthenticationAttempt(deps.database.db, who.userId, now)
  const settle = await checkProof(deps, who, proof)
  await deps.database.db.transaction(async (tx) => {
    if (!(await settle(tx, now))) throw new AppError('reauthentication_failed')
    await tx.execute(amrClaimStatement(who.sessionId, amrMethods[proof.method], now))
    await resetReauthenticationAttempts(tx, who.userId)
    await recordSecurityEvent(tx, {
      event: 'identity_confirmed',
      userId: who.userId,
      email: who.email,
      client: callerInfo(request),
      note: notes[proof.method],
      now,
    })
  })
  const { validUntil } = await readStepUp(deps, who)
  if (!validUntil) throw new AppError('insufficient_aal', { message: tooLittle })
  return { validUntil: validUntil.toISOString() }
}

const notes = {
  password: 'with the password',
  'mailed-code': 'with a mailed code',
  passkey: 'with a passkey',
} as const satisfies Record<Proof['method'], string>

/** What is slow is looked at outside of the transaction; what can be spent once is spent inside. */
type Settle = (tx: Tx, now: Date) => Promise<boolean>

async function checkProof(deps: AccountDeps, who: Principal, proof: Proof): Promise<Settle> {
  switch (proof.method) {
    case 'password':
      if (!(await isPassword(deps, who.userId, proof.password))) throw new AppError('reauthentication_failed')
      return async () => true
    case 'mailed-code':
      return (tx, now) =>
        consumeReauthenticationNonce(tx, deps, { userId: who.userId, email: who.email, nonce: proof.code, now })
    case 'passkey':
      if (!(await isOwnPasskey(deps, who.userId, proof))) throw new AppError('reauthentication_failed')
      return async () => true
  }
}

async function isPassword({ database, hasher }: AccountDeps, userId: string, password: string): Promise<boolean> {
  const [user] = await database.db.select({ hash: users.encryptedPassword }).from(users).where(eq(users.id, userId))
  return hasher.verify(user?.hash, password)
}

/** A challenge that is spent or too old is called so: it asks for a new try, and tells nothing about the passkey. */
async function isOwnPasskey(deps: AccountDeps, userId: string, proof: Extract<Proof, { method: 'passkey' }>) {
  try {
    return (await verifyPasskey(deps, proof)).userId === userId
  } catch (error) {
    if (error instanceof AppError && error.code === 'webauthn_verification_failed') return false
    throw error
  }
}

const tooLittle = 'This account has a second step. Please confirm with that one.'

/** Whoever set up a second factor means it to guard the account's settings, against those who know the password too. */
async function requireEnough(deps: AccountDeps, who: Principal) {
  const { hasFactor } = await readStepUp(deps, who)
  if (hasFactor) throw new AppError('insufficient_aal', { message: tooLittle })
}
