import { and, eq, ne } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { users } from '#server/db/schema/index.ts'
import type { Principal } from '#server/http/principal.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { addressTakenEmail, reauthenticationEmail } from '#server/mail/texts/account-emails.ts'
import { AppError } from '#shared/errors.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { consumeDailyEmailLimit, consumeEmailLimit } from '../limits/email-limits.ts'
import { notifySecurityChange, recordSecurityEvent, type SecurityChange } from '../security/security-event.ts'
import type { ClientInfo } from '../sessions/client-info.ts'
import type { Challenge } from '../sessions/pkce-flow.ts'
import { ensureEmailIdentity } from '../users/email-identity.ts'
import { autoConfirmEmail } from './confirm-email.ts'
import { issueEmailToken, sendTokenEmail } from './email-token.ts'
import { consumeToken, findByCode, issueOneTimeToken, revokeTokens, tokenExpiry } from './one-time-token.ts'

type EmailChange = {
  email: string
  challenge: Challenge | null
  redirectTo: string
  client: Pick<ClientInfo, 'ip' | 'userAgent'>
  now: Date
}

/**
 * Requests an email change. It takes effect once both addresses have confirmed it; only the new one if SECURE_EMAIL_CHANGE is
 * off or the current address isn't confirmed.
 * @throws AppError email_exists, unless EMAIL_CONFIRMATION=first, where the response must not reveal existing accounts
 */
export async function requestEmailChange(tx: Tx, deps: AuthDeps, who: Principal, change: EmailChange): Promise<void> {
  const { email, client, now } = change
  const { emailConfirmation, secureEmailChange } = deps.config.auth
  const taken = await isTaken(tx, email, who.userId)
  if (taken && emailConfirmation !== 'first') throw new AppError('email_exists')
  if (who.isAnonymous && emailConfirmation !== 'first') return setFirstEmail(tx, deps, who, change)

  const askCurrent = secureEmailChange && who.emailConfirmed
  await consumeEmailLimit(tx, 'email_change', email, now)
  if (askCurrent) await consumeDailyEmailLimit(tx, 'email_change', who.email, now)
  await tx
    .update(users)
    .set({ emailChange: email, emailChangeConfirmStatus: askCurrent ? 0 : 1, updatedAt: now })
    .where(eq(users.id, who.userId))
  const message = { type: 'email_change', userId: who.userId, newEmail: email, ...change } as const
  if (taken) {
    await issueEmailToken(tx, deps, message)
    await deps.enqueue(tx, emailJob, addressTakenEmail({ to: email, config: deps.config }))
  } else {
    await sendTokenEmail(tx, deps, message)
  }
  if (askCurrent) await sendTokenEmail(tx, deps, { ...message, email: who.email })

  const entry = { userId: who.userId, email: who.email, client, now, event: 'email_change_requested' } as const
  // The current address gets one email: the confirmation request or the notice.
  if (askCurrent || !who.emailConfirmed) await recordSecurityEvent(tx, entry)
  else await notifySecurityChange(tx, deps, entry)
}

/** Gives an anonymous user an address, which makes it a regular account, as a sign-up does. */
async function setFirstEmail(tx: Tx, deps: AuthDeps, who: Principal, change: EmailChange): Promise<void> {
  const { userId } = who
  const { email, client, now } = change
  await tx.update(users).set({ email, updatedAt: now }).where(eq(users.id, userId))
  await ensureEmailIdentity(tx, deps, { userId, email, now })
  await recordSecurityEvent(tx, { event: 'signed_up', userId, email, client, now })
  if (deps.config.auth.emailConfirmation === 'off') return autoConfirmEmail(tx, { userId, now })
  await consumeEmailLimit(tx, 'confirmation', email, now)
  await sendTokenEmail(tx, deps, { type: 'signup', userId, ...change })
}

type Replacement = Pick<SecurityChange, 'by' | 'actorId' | 'client'> & {
  userId: string
  email: string
  present: string
  now: Date
}

/**
 * Changes the address immediately, without confirmation, and revokes tokens sent to the old one. For operators and staff.
 * @throws AppError email_exists
 */
export async function replaceEmail(
  tx: Tx,
  deps: Pick<AuthDeps, 'config' | 'secrets' | 'enqueue'>,
  { userId, email, present, now, ...by }: Replacement,
): Promise<void> {
  if (await isTaken(tx, email, userId)) throw new AppError('email_exists')
  await tx
    .update(users)
    .set({ email, emailChange: null, emailChangeConfirmStatus: 0, updatedAt: now })
    .where(eq(users.id, userId))
  await ensureEmailIdentity(tx, deps, { userId, email, now })
  await revokeTokens(tx, userId)
  const note = `to ${email}`
  await notifySecurityChange(tx, deps, { event: 'email_changed', userId, email: present, ...by, note, now })
}

/** Returns true if another account has the address. */
export async function isTaken(tx: Tx, email: string, exceptUserId: string): Promise<boolean> {
  const [other] = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.email, email), ne(users.id, exceptUserId)))
  return other !== undefined
}

type NonceDeps = Pick<AuthDeps, 'config' | 'database' | 'secrets' | 'clock' | 'enqueue'>

/**
 * Emails a 6-digit nonce that authorizes changes to password and address in this session.
 * @throws AppError validation_failed without an email address, email_not_confirmed, over_email_send_rate_limit
 */
export async function sendReauthenticationNonce(
  deps: NonceDeps,
  who: Pick<Principal, 'userId' | 'email' | 'emailConfirmed'>,
) {
  const { userId, email } = who
  if (!email) {
    throw new AppError('validation_failed', {
      message: 'Reauthentication requires the user to have an email or a phone number',
    })
  }
  // An unconfirmed address may belong to someone else.
  if (!who.emailConfirmed) throw new AppError('email_not_confirmed', { status: 422 })
  const now = deps.clock()
  await consumeEmailLimit(deps.database.db, 'reauthentication', email, now)
  await deps.database.db.transaction(async (tx) => {
    const token = { userId, email, kind: 'reauthentication_token', now } as const
    const { code } = await issueOneTimeToken(tx, deps.secrets, token)
    await tx.update(users).set({ reauthenticationSentAt: now }).where(eq(users.id, userId))
    const message = reauthenticationEmail({ to: email, config: deps.config, code })
    await deps.enqueue(tx, emailJob, { ...message, expiresAt: tokenExpiry(now) })
  })
}

/** Consumes an emailed nonce. @returns false if it is wrong, used or older than an hour */
export async function consumeReauthenticationNonce(
  tx: Tx,
  { secrets }: Pick<AuthDeps, 'secrets'>,
  given: { userId: string; email: string; nonce: string; now: Date },
): Promise<boolean> {
  const { userId, email, nonce, now } = given
  const row = await findByCode(tx, secrets, { email, code: nonce.trim(), kinds: ['reauthentication_token'], now })
  return row?.userId === userId && consumeToken(tx, row)
}
