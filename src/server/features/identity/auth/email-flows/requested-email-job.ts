import { and, desc, eq, inArray, isNull, or } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '#server/db/database.ts'
import { oneTimeTokens, users } from '#server/db/schema/index.ts'
import { defineJob } from '#server/jobs/jobs.ts'
import { AppError } from '#shared/errors.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { tryDailyEmailLimit } from '../limits/email-limits.ts'
import { recordSecurityEvent } from '../security/security-event.ts'
import { createUser } from '../users/create-user.ts'
import { isTaken } from './change-email.ts'
import { sendTokenEmail, type TokenEmail } from './email-token.ts'
import { findSignUpTokens, isUnexpired } from './one-time-token.ts'

const payload = z.object({
  what: z.enum(['recovery', 'sign-in', 'signup', 'email_change']),
  email: z.string(),
  redirectTo: z.string(),
  challenge: z.object({ challenge: z.string(), method: z.enum(['s256', 'plain']) }).nullable(),
  /** Metadata for a new account. */
  data: z.record(z.string(), z.unknown()).optional(),
  mayCreate: z.boolean().optional(),
  client: z.object({ ip: z.string().nullable(), userAgent: z.string().nullable() }),
})
export type RequestedEmail = z.output<typeof payload>

/** Queued for every request, whether or not the address has an account. */
export const requestedEmailJob = { name: 'requested-email', formerNames: ['requested-mail'], payload }

type MailDeps = Pick<AuthDeps, 'config' | 'secrets' | 'enqueue' | 'clock'>

/** Running twice sends a second email; both links work. */
export const createRequestedEmailJob = (deps: MailDeps & Pick<AuthDeps, 'database'>) =>
  defineJob({
    ...requestedEmailJob,
    retryLimit: 5,
    run: (asked) => deps.database.db.transaction((tx) => sendRequestedEmail(tx, deps, asked)).catch(ignoreExistingUser),
  })

/** A concurrent sign-up created the account and sent its own email. */
const ignoreExistingUser = (error: unknown) => {
  if (!(error instanceof AppError && error.code === 'user_already_exists')) throw error
}

/** Sends the requested email if the address has a matching account. */
export async function sendRequestedEmail(tx: Tx, deps: MailDeps, asked: RequestedEmail): Promise<void> {
  const now = deps.clock()
  const { what, email, redirectTo, challenge, client } = asked
  if (what === 'email_change') return resendEmailChange(tx, deps, asked, now)
  const [user] = await tx
    .select({ id: users.id, emailConfirmedAt: users.emailConfirmedAt, createdByAdmin: users.createdByAdmin })
    .from(users)
    .where(and(eq(users.email, email), isNull(users.deletedAt)))
  const common = { email, redirectTo, challenge, now }
  const message = (type: 'recovery' | 'magiclink', userId: string) =>
    sendTokenEmail(tx, deps, { ...common, type, userId })

  if (what === 'recovery' && user) {
    await recordSecurityEvent(tx, { event: 'recovery_requested', userId: user.id, email, client, now })
    await message('recovery', user.id)
  }
  if (what === 'signup' && user && !user.emailConfirmedAt) {
    const [signUp, ...others] = user.createdByAdmin ? [] : await findSignUpTokens(tx, user.id)
    // With several sign-ups it's unclear whose request this is, so the link confirms the address without a password.
    const own = signUp && others.length === 0 ? { signUp } : {}
    await sendTokenEmail(tx, deps, { ...common, type: 'signup', userId: user.id, ...own })
  }
  if (what !== 'sign-in') return
  if (user) return message('magiclink', user.id)
  if (!deps.config.auth.signUpEnabled || asked.mayCreate === false) return
  const { id: userId } = await createUser(tx, deps, { email, passwordHash: null, data: asked.data, now })
  await recordSecurityEvent(tx, { event: 'signed_up', userId, email, client, now })
  await sendTokenEmail(tx, deps, { ...common, type: 'signup', userId, data: asked.data })
}

/**
 * Resends one pending email-change email, to the requested address or else the other one of that change. If several
 * accounts want the address, the newest change counts. Expired changes are ignored.
 */
async function resendEmailChange(tx: Tx, deps: MailDeps, asked: RequestedEmail, now: Date): Promise<void> {
  const { email, redirectTo, challenge } = asked
  const rows = await tx
    .select({ row: oneTimeTokens, newEmail: users.emailChange })
    .from(oneTimeTokens)
    .innerJoin(users, eq(users.id, oneTimeTokens.userId))
    .where(
      and(
        or(eq(users.email, email), eq(users.emailChange, email)),
        inArray(oneTimeTokens.tokenType, ['email_change_token_new', 'email_change_token_current']),
      ),
    )
    .orderBy(desc(users.emailChangeSentAt), users.id)
  const outstanding = rows.filter(({ row }) => isUnexpired(row, now))
  const chosen = outstanding.find(({ row }) => row.relatesTo === email) ?? outstanding[0]
  if (!chosen?.newEmail) return
  const { userId, relatesTo: mailbox } = chosen.row
  const { newEmail } = chosen
  if (mailbox === newEmail && (await isTaken(tx, newEmail, userId))) return
  // The request was counted for another address.
  if (mailbox !== email && !(await tryDailyEmailLimit(tx, 'email_change', mailbox, now))) return
  const change = { type: 'email_change', userId, email: mailbox, newEmail } as const satisfies Partial<TokenEmail>
  await sendTokenEmail(tx, deps, { ...change, redirectTo, challenge, now })
}
