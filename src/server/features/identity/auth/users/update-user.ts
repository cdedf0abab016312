import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import { sqlState, uniqueViolation } from '#server/db/database.ts'
import { mfaFactors, users } from '#server/db/schema/index.ts'
import type { Principal } from '#server/http/principal.ts'
import { AppError } from '#shared/errors.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { consumeReauthenticationNonce, requestEmailChange } from '../email-flows/change-email.ts'
import { requireEmail } from '../email-flows/email-address.ts'
import { requireAcceptableEmail } from '../limits/bot-protection.ts'
import { consumeReauthenticationAttempt, resetReauthenticationAttempts } from '../limits/reauthentication-attempts.ts'
import { changePassword } from '../passwords/change-password.ts'
import { requireGoodPassword } from '../passwords/password-policy.ts'
import { ProtocolError } from '../protocol-error.ts'
import { requireStepUp } from '../security/step-up.ts'
import type { ClientInfo } from '../sessions/client-info.ts'
import { challengeFields, readCodeChallenge } from '../sessions/pkce-flow.ts'
import { findUser } from '../sessions/session-row.ts'
import { mergeUserData, requireMetadataSize, userDataField } from './user-metadata.ts'
import { toWireUser, type WireUser } from './user-response.ts'

export const updateUserInput = z.object({
  email: z.string().nullish(),
  phone: z.string().nullish(),
  password: z.string().nullish(),
  current_password: z.string().nullish(),
  nonce: z.string().max(100).nullish(),
  data: userDataField,
  app_metadata: z.unknown().optional(),
  ...challengeFields,
})

type UpdateInput = z.output<typeof updateUserInput>

/**
 * Updates the caller's own user. Password and address require reauthentication: a recent sign-in, the current password or an
 * emailed nonce. Accounts with a second factor also need an aal2 session.
 * @throws AppError insufficient_aal (401), reauthentication_needed, reauthentication_not_valid, weak_password,
 * same_password, email_exists, over_request_rate_limit; ProtocolError not_admin, current_password_…
 */
export async function updateUser(
  deps: AuthDeps,
  who: Principal,
  input: UpdateInput,
  request: { redirectTo: string; client: ClientInfo },
): Promise<WireUser> {
  if (input.app_metadata !== undefined && input.app_metadata !== null) throw new ProtocolError('not_admin')
  if (input.phone) throw new AppError('phone_provider_disabled')
  const given = input.email ? requireEmail(input.email) : null
  const email = given === who.email ? null : given
  if (email) requireAcceptableEmail(deps.config, email)
  if (who.isAnonymous && input.password && !email) {
    throw new AppError('validation_failed', {
      status: 422,
      message: 'Updating password of an anonymous user without an email or phone is not allowed',
    })
  }
  if (email || input.password) {
    await requireSecondFactor(deps, who)
    await requireReauthentication(deps, who, input)
  }
  const passwordHash = input.password ? await newPasswordHash(deps, who, input.password) : null
  const challenge = readCodeChallenge(input)

  const update = deps.database.db.transaction(async (tx) => {
    const now = deps.clock()
    const { userId, sessionId } = who
    const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
    if (!user) throw new AppError('user_not_found')
    if (input.nonce && (email || passwordHash)) {
      const isValid = await consumeReauthenticationNonce(tx, deps, {
        userId,
        email: who.email,
        nonce: input.nonce,
        now,
      })
      if (!isValid) throw new AppError('reauthentication_not_valid')
      await resetReauthenticationAttempts(tx, userId)
    }
    if (input.data) {
      const rawUserMetaData = requireMetadataSize(mergeUserData(user.rawUserMetaData, input.data))
      await tx.update(users).set({ rawUserMetaData, updatedAt: now }).where(eq(users.id, userId))
    }
    const { client } = request
    if (passwordHash) await changePassword(tx, deps, { userId, sessionId, passwordHash, email: who.email, client, now })
    if (email) await requestEmailChange(tx, deps, who, { email, challenge, ...request, now })
  })
  await update.catch((error: unknown) => {
    if (sqlState(error) === uniqueViolation) throw new AppError('email_exists', { cause: error })
    throw error
  })
  const row = await findUser(deps.database, who.userId)
  if (!row) throw new AppError('user_not_found')
  return toWireUser(row)
}

/** Requires aal2 if the account has a second factor. */
async function requireSecondFactor({ database }: AuthDeps, who: Principal): Promise<void> {
  if (who.aal === 'aal2') return
  const [verified] = await database.db
    .select({ id: mfaFactors.id })
    .from(mfaFactors)
    .where(and(eq(mfaFactors.userId, who.userId), eq(mfaFactors.status, 'verified')))
    .limit(1)
  if (verified)
    throw new AppError('insufficient_aal', {
      status: 401,
      message: 'AAL2 session is required to update email or password',
    })
}

/** A nonce is only counted here. The transaction of the change consumes it. */
async function requireReauthentication(
  deps: AuthDeps,
  who: Principal,
  { current_password: current, nonce }: UpdateInput,
) {
  const { db } = deps.database
  if (typeof current === 'string') {
    if (current === '') throw new ProtocolError('current_password_required')
    await consumeReauthenticationAttempt(db, who.userId, deps.clock())
    if (!(await deps.hasher.verify(await readPasswordHash(deps, who), current)))
      throw new ProtocolError('current_password_invalid')
    return resetReauthenticationAttempts(db, who.userId)
  }
  if (nonce) return consumeReauthenticationAttempt(db, who.userId, deps.clock())
  // Anonymous users have nothing to reauthenticate with.
  if (!who.isAnonymous) await requireStepUp(deps, who, 'reauthentication_needed')
}

/** Hashes outside the transaction, so that no connection waits for it. */
async function newPasswordHash(deps: AuthDeps, who: Principal, password: string): Promise<string> {
  requireGoodPassword(deps.config, password, who.email)
  const present = await readPasswordHash(deps, who)
  if (present && (await deps.hasher.verify(present, password))) throw new AppError('same_password')
  return deps.hasher.hash(password)
}

async function readPasswordHash({ database }: AuthDeps, who: Principal): Promise<string | null> {
  const [user] = await database.db.select({ hash: users.encryptedPassword }).from(users).where(eq(users.id, who.userId))
  return user?.hash ?? null
}
