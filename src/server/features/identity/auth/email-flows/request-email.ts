import { and, eq, isNull } from 'drizzle-orm'
import { z } from 'zod'
import { users } from '#server/db/schema/index.ts'
import { AppError } from '#shared/errors.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { requireAcceptableEmail } from '../limits/bot-protection.ts'
import { consumeEmailLimit, type EmailKind } from '../limits/email-limits.ts'
import { captchaFields, requireProofOfWork } from '../limits/proof-of-work.ts'
import type { ClientInfo } from '../sessions/client-info.ts'
import { challengeFields, readCodeChallenge } from '../sessions/pkce-flow.ts'
import { requireMetadataSize, userDataField } from '../users/user-metadata.ts'
import { requireEmail } from './email-address.ts'
import { type RequestedEmail, requestedEmailJob } from './requested-email-job.ts'

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
