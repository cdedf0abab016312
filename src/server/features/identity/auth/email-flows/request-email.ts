import { and, desc, eq, inArray, isNull, or } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '#server/db/database.ts'
import { oneTimeTokens, users } from '#server/db/schema/index.ts'
import { defineJob } from '#server/jobs/jobs.ts'
import { AppError } from '#shared/errors.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { requireAcceptableEmail } from '../limits/bot-protection.ts'
import { consumeEmailLimit, type EmailKind, tryDailyEmailLimit } from '../limits/email-limits.ts'
import { captchaFields, requireProofOfWork } from '../limits/proof-of-work.ts'
import { recordSecurityEvent } from '../security/security-event.ts'
import type { ClientInfo } from '../sessions/client-info.ts'
import { challengeFields, readCodeChallenge } from '../sessions/pkce-flow.ts'
import { createUser } from '../users/create-user.ts'
import { requireMetadataSize, userDataField } from '../users/user-metadata.ts'
import { isTaken } from './change-email.ts'
import { requireEmail } from './email-address.ts'
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
type RequestedEmail = z.output<typeof payload>

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

const address = { email: z.string().nullish(), phone: z.string().nullish() }

export const recoverInput = z.object({ ...address, ...challengeFields, ...captchaFields })
export const otpInput = z.object({
  ...address,
  create_user: z.boolean().nullish(),
  data: userDataField,
  ...challengeFields,
  ...captchaFields,
})
export const resendInput = z.object({ ...address, type: z.string().nullish(), ...challengeFields, ...captchaFields })

type MailRequest = { redirectTo: string; client: ClientInfo }

/** Requests a recovery email. Response, limits and timing are the same for unknown addresses. */
export async function recover(deps: AuthDeps, input: z.output<typeof recoverInput>, request: MailRequest) {
  const email = requireEmail(input.email)
  const challenge = readCodeChallenge(input)
  await requireProofOfWork(deps, input)
  await enqueueRequest(deps, 'recovery', { what: 'recovery', email, challenge }, request)
}

/**
 * Requests a sign-in email. Creates the account if there is none, unless `create_user` is false.
 * @throws AppError otp_disabled, signup_disabled if there is no account and none may be created. With
 * EMAIL_CONFIRMATION=first the request succeeds instead, so that it doesn't reveal existing accounts.
 */
export async function sendOtp(deps: AuthDeps, input: z.output<typeof otpInput>, request: MailRequest): Promise<void> {
  if (input.phone) throw new AppError('phone_provider_disabled')
  const email = requireEmail(input.email)
  const data = requireMetadataSize(input.data ?? {})
  const challenge = readCodeChallenge(input)
  const { signUpEnabled, emailConfirmation } = deps.config.auth
  const mayCreate = signUpEnabled && input.create_user !== false
  // Checked for existing accounts too, so that the error doesn't reveal them.
  if (input.create_user !== false) requireAcceptableEmail(deps.config, email)
  await requireProofOfWork(deps, input)
  if (!mayCreate && emailConfirmation !== 'first') await requireAccount(deps, email, input.create_user)
  await enqueueRequest(deps, 'recovery', { what: 'sign-in', email, challenge, data, mayCreate }, request)
}

async function requireAccount({ database }: AuthDeps, email: string, createUser: boolean | null | undefined) {
  const [user] = await database.db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.email, email), isNull(users.deletedAt)))
  if (!user) throw new AppError(createUser === false ? 'otp_disabled' : 'signup_disabled')
}

/** Sends a pending confirmation or email change again. Succeeds without an email if nothing is pending. */
export async function resend(deps: AuthDeps, input: z.output<typeof resendInput>, request: MailRequest): Promise<void> {
  const { type } = input
  if (input.phone || type === 'sms' || type === 'phone_change') throw new AppError('phone_provider_disabled')
  if (type !== 'signup' && type !== 'email_change') {
    throw new AppError('validation_failed', { message: 'Missing or unsupported type: expected signup or email_change' })
  }
  const email = requireEmail(input.email)
  const challenge = readCodeChallenge(input)
  await requireProofOfWork(deps, input)
  await enqueueRequest(
    deps,
    type === 'signup' ? 'confirmation' : 'email_change',
    { what: type, email, challenge },
    request,
  )
}

/** The job looks up the account, so that response times don't reveal it. */
async function enqueueRequest(
  deps: AuthDeps,
  kind: EmailKind,
  asked: Pick<RequestedEmail, 'what' | 'email' | 'challenge' | 'data' | 'mayCreate'>,
  { redirectTo, client: { ip, userAgent } }: MailRequest,
): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    await consumeEmailLimit(tx, kind, asked.email, deps.clock())
    await deps.enqueue(tx, requestedEmailJob, { ...asked, redirectTo, client: { ip, userAgent } })
  })
}
