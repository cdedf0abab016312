import { eq } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { users } from '#server/db/schema/index.ts'
import type { Principal } from '#server/http/principal.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { reauthenticationEmail } from '#server/mail/texts/account-emails.ts'
import { AppError } from '#shared/errors.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { consumeEmailLimit } from '../limits/email-limits.ts'
import { consumeToken, findByCode, issueOneTimeToken, tokenExpiry } from './one-time-token.ts'

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
