import { and, eq, inArray, sql } from 'drizzle-orm'
import { sqlState, type Tx, uniqueViolation } from '#server/db/database.ts'
import { oneTimeTokens, users } from '#server/db/schema/index.ts'
import { AppError } from '#shared/errors.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { rememberSignInAddress } from '../limits/known-ip-addresses.ts'
import { notifySecurityChange, recordSecurityEvent } from '../security/security-event.ts'
import type { ClientInfo } from '../sessions/client-info.ts'
import { continueSession } from '../sessions/continue-session.ts'
import { createSession, type IssuedSession } from '../sessions/create-session.ts'
import { endSiblingFlows, issueAuthCode } from '../sessions/pkce-flow.ts'
import { isBanned } from '../sessions/session-row.ts'
import { ensureEmailIdentity } from '../users/email-identity.ts'
import { confirmEmail } from './confirm-email.ts'
import {
  consumeToken,
  type FoundToken,
  isOutstanding,
  revokeSignUpTokens,
  type TokenKind,
  type TokenRow,
} from './one-time-token.ts'
import { hasVerifiedEmail, isKnownClient, readAdminAddress, revokeUnverifiedAccess } from './unverified-access.ts'
import { decideVerificationOutcome, type VerificationOutcome } from './verification-outcome.ts'

export type RedeemedToken =
  | { kind: 'session'; opened: IssuedSession }
  /** PKCE: a code for the client that started the flow. */
  | { kind: 'auth-code'; code: string }
  /** Email change: the other address still has to confirm. */
  | { kind: 'pending' }

export const expiredLink = () => new AppError('otp_expired')
export const expiredCode = () => new AppError('otp_expired', { message: 'Token has expired or is invalid' })

type UserRow = typeof users.$inferSelect

/** How the token is redeemed: with the button on the link's page or as a typed code. */
export type Confirmation = {
  by: 'link' | 'code'
  /** Answer to the page's ownership question. */
  choice: 'keep' | 'fresh' | null
  client: ClientInfo
  /** For PKCE links: return an auth code instead of a session. */
  asAuthCode: boolean
}

/**
 * Consumes a one-time token, verifies the address, applies what the token is for, and signs in, in one transaction.
 * @throws AppError otp_expired if the token was already used or the account's address has changed
 */
export async function redeemToken(
  deps: AuthDeps,
  { row, flowId }: FoundToken,
  confirmation: Confirmation,
): Promise<RedeemedToken> {
  const now = deps.clock()
  try {
    return await deps.database.db.transaction(async (tx) => {
      const [user] = await tx.select().from(users).where(eq(users.id, row.userId)).for('update')
      if (!user || user.deletedAt || !(await consumeToken(tx, row))) throw expiredLink()
      if (isBanned({ banned_until: user.bannedUntil }, now)) throw new AppError('user_banned')
      await endSiblingFlows(tx, { oneTimeTokenId: row.id, except: flowId })
      const redemption = { user, row, flowId, confirmation, now }
      if (!(await applyToken(tx, deps, redemption))) return { kind: 'pending' }
      return signIn(tx, deps, redemption)
    })
  } catch (error) {
    if (sqlState(error) === uniqueViolation) throw new AppError('email_exists', { cause: error })
    throw error
  }
}

type Redemption = { user: UserRow; row: TokenRow; flowId: string | null; confirmation: Confirmation; now: Date }

/** @returns false if the other address still has to confirm */
async function applyToken(tx: Tx, deps: AuthDeps, redemption: Redemption) {
  const { user, row, confirmation, now } = redemption
  if (isEmailChange(row.tokenType)) return confirmEmailChange(tx, deps, redemption)
  const { id: userId, email } = user
  if (!email || row.relatesTo !== email) throw expiredLink()
  const isEmailVerified = await hasVerifiedEmail(tx, deps.config, user)
  const { makesAdmin } = await resolveUnverifiedAccess(tx, deps, redemption, { email, isEmailVerified })
  if (!user.emailConfirmedAt) {
    await recordSecurityEvent(tx, { event: 'address_confirmed', userId, email, client: confirmation.client, now })
    await revokeSignUpTokens(tx, userId)
  }
  await confirmEmail(tx, { userId, email, makesAdmin, now })
  return true
}

/** Removes access from before the verification that may belong to someone else. */
async function resolveUnverifiedAccess(
  tx: Tx,
  deps: AuthDeps,
  redemption: Redemption,
  { email, isEmailVerified }: { email: string; isEmailVerified: boolean },
): Promise<VerificationOutcome> {
  const { user, row, flowId, confirmation, now } = redemption
  const { encryptedPassword: passwordHash, rawUserMetaData } = row
  const data = rawUserMetaData ?? {}
  const outcome = decideVerificationOutcome({
    isEmailVerified,
    createdByAdmin: user.createdByAdmin,
    isRecovery: row.tokenType === 'recovery_token',
    bringsCredentials: passwordHash !== null,
    isSamePerson:
      (await isKnownClient(tx, user.id, confirmation.client)) || (await isFromSameBrowser(tx, deps, redemption)),
    choice: confirmation.choice,
    adminAddress: await readAdminAddress(tx, deps.config, { userId: user.id, email }),
  })
  if (!outcome.revokesAccess) return outcome
  const applied = outcome.appliesCredentials && passwordHash ? { passwordHash, data } : null
  const { client } = confirmation
  const { resetsProfile } = outcome
  await revokeUnverifiedAccess(tx, deps, { user, email, resetsProfile, credentials: applied, flowId, client, now })
  // Metadata without a password comes from an invitation, or from the request that created the account.
  if (rawUserMetaData && !passwordHash) await mergeMetadata(tx, user.id, data)
  return outcome
}

async function mergeMetadata(tx: Tx, userId: string, data: Record<string, unknown>) {
  const merged = sql`coalesce(${users.rawUserMetaData}, '{}'::jsonb) || ${JSON.stringify(data)}::jsonb`
  await tx.update(users).set({ rawUserMetaData: merged }).where(eq(users.id, userId))
}

/**
 * Says whether the code was entered in the browser that signed up. Unknown while a sign-in email is pending too, since both codes
 * fit the same form, and false for invitations.
 */
async function isFromSameBrowser(
  tx: Tx,
  { config }: AuthDeps,
  { user, row, confirmation, now }: Redemption,
): Promise<boolean> {
  if (confirmation.by !== 'code' || row.tokenType === 'recovery_token') return false
  if (row.tokenType === 'confirmation_token' && (user.invitedAt || config.auth.emailConfirmation === 'first'))
    return false
  return !(await isOutstanding(tx, user.id, 'recovery_token', now))
}

const emailChangeKinds = ['email_change_token_new', 'email_change_token_current'] as const satisfies TokenKind[]
const isEmailChange = (kind: TokenKind) => emailChangeKinds.some((each) => each === kind)

async function confirmEmailChange(tx: Tx, deps: AuthDeps, redemption: Redemption): Promise<boolean> {
  const { user, row, confirmation, now } = redemption
  const { id: userId, emailChange } = user
  const { client } = confirmation
  const mailbox = row.tokenType === 'email_change_token_new' ? emailChange : user.email
  if (!emailChange || row.relatesTo !== mailbox) throw expiredLink()
  if (user.emailChangeConfirmStatus !== 1) {
    await tx.update(users).set({ emailChangeConfirmStatus: 1, updatedAt: now }).where(eq(users.id, userId))
    return false
  }
  const settled = { email: emailChange, emailChange: null, emailChangeConfirmStatus: 0, updatedAt: now }
  await tx.update(users).set(settled).where(eq(users.id, userId))
  await tx
    .delete(oneTimeTokens)
    .where(and(eq(oneTimeTokens.userId, userId), inArray(oneTimeTokens.tokenType, emailChangeKinds)))
  // An account without a confirmed address is treated as an unconfirmed sign-up.
  const isEmailVerified = user.emailConfirmedAt !== null
  await ensureEmailIdentity(tx, deps, { userId, email: emailChange, now })
  const { makesAdmin } = await resolveUnverifiedAccess(tx, deps, redemption, { email: emailChange, isEmailVerified })
  await confirmEmail(tx, { userId, email: emailChange, makesAdmin, now })
  const former = { email: user.email ?? '', isEmailVerified: user.emailConfirmedAt !== null }
  const note = `to ${emailChange}`
  await notifySecurityChange(tx, deps, { event: 'email_changed', userId, ...former, note, client, now })
  return true
}

async function signIn(tx: Tx, deps: AuthDeps, { user, flowId, confirmation, now }: Redemption): Promise<RedeemedToken> {
  const { client } = confirmation
  if (confirmation.asAuthCode) {
    const code = flowId && (await issueAuthCode(tx, { id: flowId, now }))
    if (!code) throw expiredLink()
    return { kind: 'auth-code', code }
  }
  await rememberSignInAddress(tx, { userId: user.id, client, now })
  const continued = await continueSession(tx, {
    userId: user.id,
    heldIds: client.heldSessionIds,
    method: 'otp',
    sessionDays: deps.config.auth.sessionDays,
    now,
  })
  if (continued) return { kind: 'session', opened: continued }
  await recordSecurityEvent(tx, { event: 'signed_in', userId: user.id, email: user.email ?? '', client, now })
  return { kind: 'session', opened: await createSession(tx, { userId: user.id, method: 'otp', client, now }) }
}
