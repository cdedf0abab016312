import { and, eq, inArray } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { oneTimeTokens, users } from '#server/db/schema/index.ts'
import { sqlState, uniqueViolation } from '#server/db/sql-state.ts'
import { AppError } from '#shared/errors.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { rememberAddress } from '../limits/known-address.ts'
import { notifySecurityChange } from '../security/notify-security-change.ts'
import { recordSecurityEvent } from '../security/security-event.ts'
import type { ClientFacts } from '../sessions/client-facts.ts'
import { issueAuthCode } from '../sessions/code-challenge.ts'
import { continueSession } from '../sessions/continue-session.ts'
import { type OpenedSession, openSession } from '../sessions/open-session.ts'
import { isBanned } from '../sessions/session-row.ts'
import { ensureEmailIdentity } from '../users/email-identity.ts'
import { endFormerAccess, isProvenAddress, readStanding } from './former-access.ts'
import { flowKindOf, type LinkType } from './mail-token.ts'
import { spendToken, type TokenKind, type TokenRow } from './one-time-token.ts'
import { proveAddress } from './prove-address.ts'

export type SpentToken =
  | { kind: 'session'; opened: OpenedSession }
  /** For whoever asked with a code challenge. */
  | { kind: 'auth-code'; code: string }
  /** One of the two mailboxes of a change of address has agreed. */
  | { kind: 'half' }

export const expiredLink = () => new AppError('otp_expired')
export const expiredCode = () => new AppError('otp_expired', { message: 'Token has expired or is invalid' })

type UserRow = typeof users.$inferSelect

/**
 * Spends a one-time token: proves the address, does what the token is for, and signs its holder in, all or nothing.
 * @throws AppError otp_expired when somebody was faster or the token is for an address the account no longer has
 */
export async function redeemToken(
  deps: AuthDeps,
  row: TokenRow,
  request: { client: ClientFacts; asAuthCode: boolean },
): Promise<SpentToken> {
  const now = deps.clock()
  try {
    return await deps.database.db.transaction(async (tx) => {
      const [user] = await tx.select().from(users).where(eq(users.id, row.userId)).for('update')
      if (!user || user.deletedAt || !(await spendToken(tx, row))) throw expiredLink()
      if (isBanned({ banned_until: user.bannedUntil }, now)) throw new AppError('user_banned')
      const done = await takeEffect(tx, deps, { user, row, client: request.client, now })
      if (!done) return { kind: 'half' }
      return signIn(tx, deps, { user, row, ...request, now })
    })
  } catch (error) {
    if (sqlState(error) === uniqueViolation) throw new AppError('email_exists', { cause: error })
    throw error
  }
}

type Spending = { user: UserRow; row: TokenRow; client: ClientFacts; now: Date }

/** @returns false when another mailbox has yet to agree */
async function takeEffect(tx: Tx, deps: AuthDeps, spending: Spending) {
  const { user, row, client, now } = spending
  if (isEmailChange(row.tokenType)) return agreeToEmailChange(tx, deps, spending)
  const { id: userId, email } = user
  if (!email || row.relatesTo !== email) throw expiredLink()
  const isProven = await isProvenAddress(tx, deps.config, user)
  const askedFor = row.tokenType === 'recovery_token'
  const standing = await readStanding(tx, deps.config, { user, email, askedFor, isProven })
  if (standing.endsFormerAccess) await endFormerAccess(tx, deps, { user, email, client, now })
  if (!user.emailConfirmedAt) await recordSecurityEvent(tx, { event: 'address_confirmed', userId, email, client, now })
  await proveAddress(tx, { userId, email, makesAdmin: standing.makesAdmin, now })
  return true
}

const emailChangeKinds = ['email_change_token_new', 'email_change_token_current'] as const satisfies TokenKind[]
const isEmailChange = (kind: TokenKind) => emailChangeKinds.some((each) => each === kind)

async function agreeToEmailChange(tx: Tx, deps: AuthDeps, { user, row, client, now }: Spending): Promise<boolean> {
  const { id: userId, emailChange } = user
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
  // Whoever asked for the change has shown who they are; that the new mailbox agrees makes their account no admin's.
  const standing = await readStanding(tx, deps.config, { user, email: emailChange, askedFor: false, isProven: true })
  if (standing.endsFormerAccess) await endFormerAccess(tx, deps, { user, email: emailChange, client, now })
  await ensureEmailIdentity(tx, deps, { userId, email: emailChange, now })
  await proveAddress(tx, { userId, email: emailChange, makesAdmin: standing.makesAdmin, now })
  const former = { email: user.email ?? '', isProven: user.emailConfirmedAt !== null }
  const note = `to ${emailChange}`
  await notifySecurityChange(tx, deps, { event: 'email_changed', userId, ...former, note, client, now })
  return true
}

async function signIn(
  tx: Tx,
  deps: AuthDeps,
  given: { user: UserRow; row: TokenRow; client: ClientFacts; asAuthCode: boolean; now: Date },
): Promise<SpentToken> {
  const { user, row, client, now } = given
  if (given.asAuthCode) {
    const kinds = linkTypesOf(row.tokenType).map(flowKindOf)
    const code = await issueAuthCode(tx, { userId: user.id, kinds, now })
    if (!code) throw expiredLink()
    return { kind: 'auth-code', code }
  }
  await rememberAddress(tx, { userId: user.id, client, now })
  const continued = await continueSession(tx, {
    userId: user.id,
    heldIds: client.heldSessionIds,
    method: 'otp',
    sessionDays: deps.config.auth.sessionDays,
    now,
  })
  if (continued) return { kind: 'session', opened: continued }
  await recordSecurityEvent(tx, { event: 'signed_in', userId: user.id, email: user.email ?? '', client, now })
  return { kind: 'session', opened: await openSession(tx, { userId: user.id, method: 'otp', client, now }) }
}

function linkTypesOf(kind: TokenKind): LinkType[] {
  if (kind === 'confirmation_token') return ['signup', 'invite']
  return isEmailChange(kind) ? ['email_change'] : ['recovery', 'magiclink']
}
