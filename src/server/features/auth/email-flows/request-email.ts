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
import { requireMetadataSize, userDataField } from '../users/user-data.ts'
import { requireEmail } from './email-address.ts'
import { type RequestedEmail, requestedEmailJob } from './requested-email.ts'

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

/** Mails a link to choose a new password. Says the same, counts the same and takes the same for an unknown address. */
export async function recover(deps: AuthDeps, input: z.output<typeof recoverInput>, request: MailRequest) {
  const email = requireEmail(input.email)
  const challenge = readCodeChallenge(input)
  await requireProofOfWork(deps, input)
  await ask(deps, 'recovery', { what: 'recovery', email, challenge }, request)
}

/**
 * Mails a link to sign in without a password, and makes the account if there is none; its first link then proves the
 * address as well.
 * @throws AppError otp_disabled, signup_disabled when the account may not be made; the protocol has no quieter answer, but
 * where proof comes first nobody learns who has an account, and the answer is that of a mail
 */
export async function sendOtp(deps: AuthDeps, input: z.output<typeof otpInput>, request: MailRequest): Promise<void> {
  if (input.phone) throw new AppError('phone_provider_disabled')
  const email = requireEmail(input.email)
  const data = requireMetadataSize(input.data ?? {})
  const challenge = readCodeChallenge(input)
  const { signUpEnabled, emailConfirmation } = deps.config.auth
  const mayCreate = signUpEnabled && input.create_user !== false
  // Of everybody who may be made an account, whether or not they have one: the refusal must not tell.
  if (input.create_user !== false) requireAcceptableEmail(deps.config, email)
  await requireProofOfWork(deps, input)
  if (!mayCreate && emailConfirmation !== 'first') await requireAccount(deps, email, input.create_user)
  await ask(deps, 'recovery', { what: 'sign-in', email, challenge, data, mayCreate }, request)
}

async function requireAccount({ database }: AuthDeps, email: string, createUser: boolean | null | undefined) {
  const [user] = await database.db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.email, email), isNull(users.deletedAt)))
  if (!user) throw new AppError(createUser === false ? 'otp_disabled' : 'signup_disabled')
}

/** Mails again what is outstanding; an address with nothing outstanding gets the same answer and no mail. */
export async function resend(deps: AuthDeps, input: z.output<typeof resendInput>, request: MailRequest): Promise<void> {
  const { type } = input
  if (input.phone || type === 'sms' || type === 'phone_change') throw new AppError('phone_provider_disabled')
  if (type !== 'signup' && type !== 'email_change') {
    throw new AppError('validation_failed', { message: 'Missing or unsupported type: expected signup or email_change' })
  }
  const email = requireEmail(input.email)
  const challenge = readCodeChallenge(input)
  await requireProofOfWork(deps, input)
  await ask(deps, type === 'signup' ? 'confirmation' : 'email_change', { what: type, email, challenge }, request)
}

/** Whether there is an account is looked up by the job, so that the time of the answer does not tell. */
async function ask(
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
