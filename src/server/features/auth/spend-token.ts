import { and, eq, inArray } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { oneTimeTokens, users } from '#server/db/schema/index.ts'
import { sqlState, uniqueViolation } from '#server/db/sql-state.ts'
import { AppError } from '#shared/errors.ts'
import type { AuthDeps } from './auth-deps.ts'
import type { ClientFacts } from './client-facts.ts'
import { issueAuthCode } from './code-challenge.ts'
import { rememberAddress } from './known-address.ts'
import { logOut } from './log-out.ts'
import { flowKindOf, type LinkType } from './mail-token.ts'
import { spendToken, type TokenKind, type TokenRow } from './one-time-token.ts'
import { type OpenedSession, openSession } from './open-session.ts'
import { proveAddress } from './prove-address.ts'
import { isBanned } from './session-row.ts'

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
      const done = await takeEffect(tx, deps, { user, row, now })
      if (!done) return { kind: 'half' }
      return signIn(tx, { user, row, ...request, now })
    })
  } catch (error) {
    if (sqlState(error) === uniqueViolation) throw new AppError('email_exists', { cause: error })
    throw error
  }
}

/** @returns false when another mailbox has yet to agree */
async function takeEffect(
  tx: Tx,
  { config }: AuthDeps,
  { user, row, now }: { user: UserRow; row: TokenRow; now: Date },
) {
  if (isEmailChange(row.tokenType)) return agreeToEmailChange(tx, config, user, row, now)
  const { email } = user
  if (!email || row.relatesTo !== email) throw expiredLink()
  if (row.tokenType === 'recovery_token' && !user.emailConfirmedAt) await dropUnprovenAccess(tx, user.id)
  await proveAddress(tx, config, { userId: user.id, email, now })
  return true
}

/**
 * Anybody can sign up with anybody's address. When its owner comes with a mail that they asked for themselves, whoever
 * chose the password before may be somebody else: that password and its sessions end here.
 */
async function dropUnprovenAccess(tx: Tx, userId: string): Promise<void> {
  await tx.update(users).set({ encryptedPassword: null }).where(eq(users.id, userId))
  await logOut(tx, { userId, sessionId: crypto.randomUUID() }, 'global')
}

const emailChangeKinds = ['email_change_token_new', 'email_change_token_current'] as const satisfies TokenKind[]
const isEmailChange = (kind: TokenKind) => emailChangeKinds.some((each) => each === kind)

async function agreeToEmailChange(
  tx: Tx,
  config: AuthDeps['config'],
  user: UserRow,
  row: TokenRow,
  now: Date,
): Promise<boolean> {
  const { emailChange } = user
  const mailbox = row.tokenType === 'email_change_token_new' ? emailChange : user.email
  if (!emailChange || row.relatesTo !== mailbox) throw expiredLink()
  if (user.emailChangeConfirmStatus !== 1) {
    await tx.update(users).set({ emailChangeConfirmStatus: 1, updatedAt: now }).where(eq(users.id, user.id))
    return false
  }
  const settled = { email: emailChange, emailChange: null, emailChangeConfirmStatus: 0, updatedAt: now }
  await tx.update(users).set(settled).where(eq(users.id, user.id))
  await tx
    .delete(oneTimeTokens)
    .where(and(eq(oneTimeTokens.userId, user.id), inArray(oneTimeTokens.tokenType, emailChangeKinds)))
  await proveAddress(tx, config, { userId: user.id, email: emailChange, now })
  return true
}

async function signIn(
  tx: Tx,
  given: { user: UserRow; row: TokenRow; client: ClientFacts; asAuthCode: boolean; now: Date },
): Promise<SpentToken> {
  const { user, row, client, now } = given
  if (given.asAuthCode) {
    for (const type of linkTypesOf(row.tokenType)) {
      const code = await issueAuthCode(tx, { userId: user.id, kind: flowKindOf(type), now })
      if (code) return { kind: 'auth-code', code }
    }
    throw expiredLink()
  }
  await rememberAddress(tx, { userId: user.id, client, now })
  return { kind: 'session', opened: await openSession(tx, { userId: user.id, method: 'otp', client, now }) }
}

function linkTypesOf(kind: TokenKind): LinkType[] {
  if (kind === 'confirmation_token') return ['signup']
  return isEmailChange(kind) ? ['email_change'] : ['recovery', 'magiclink']
}
