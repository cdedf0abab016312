import { and, eq, inArray, isNull, or } from 'drizzle-orm'
import { z } from 'zod'
import { oneTimeTokens, users } from '#server/db/schema/index.ts'
import { AppError } from '#shared/errors.ts'
import type { AuthDeps } from './auth-deps.ts'
import { type Challenge, challengeFields, readChallenge } from './code-challenge.ts'
import { createUser } from './create-user.ts'
import { requireEmail } from './email-address.ts'
import { takeMailTurn } from './mail-interval.ts'
import { mailToken } from './mail-token.ts'
import { requireModestData, userDataField } from './user-data.ts'

const address = { email: z.string().nullish(), phone: z.string().nullish() }

export const recoverInput = z.object({ ...address, ...challengeFields })
export const otpInput = z.object({
  ...address,
  create_user: z.boolean().nullish(),
  data: userDataField,
  ...challengeFields,
})
export const resendInput = z.object({ ...address, type: z.string().nullish(), ...challengeFields })

type MailRequest = { redirectTo: string }

/** Mails a link to choose a new password. Says the same, and counts the same, for an address without an account. */
export async function recover(
  deps: AuthDeps,
  input: z.output<typeof recoverInput>,
  request: MailRequest,
): Promise<void> {
  const email = requireEmail(input.email)
  const challenge = readChallenge(input)
  await takeMailTurn(deps.database.db, 'recovery', email, deps.clock())
  const user = await findByEmail(deps, email)
  if (user) await mail(deps, { type: 'recovery', userId: user.id, email, challenge, ...request })
}

/**
 * Mails a link to sign in without a password, and makes the account if there is none; its first link then proves the
 * address as well.
 * @throws AppError otp_disabled when the account may not be made; the protocol has no quieter answer
 */
export async function sendOtp(deps: AuthDeps, input: z.output<typeof otpInput>, request: MailRequest): Promise<void> {
  if (input.phone) throw new AppError('phone_provider_disabled')
  const email = requireEmail(input.email)
  const data = requireModestData(input.data ?? {})
  const challenge = readChallenge(input)
  const user = await findByEmail(deps, email)
  if (!user && input.create_user === false) throw new AppError('otp_disabled')
  await takeMailTurn(deps.database.db, 'recovery', email, deps.clock())
  if (user) return mail(deps, { type: 'magiclink', userId: user.id, email, challenge, ...request })
  await deps.database.db
    .transaction(async (tx) => {
      const now = deps.clock()
      const { id } = await createUser(tx, { email, passwordHash: null, data, now })
      await mailToken(tx, deps, { type: 'signup', userId: id, email, challenge, ...request, now })
    })
    .catch(ignoreTaken)
}

/** Somebody signed up with the address in this very moment, and has the mail of that. */
const ignoreTaken = (error: unknown) => {
  if (!(error instanceof AppError && error.code === 'user_already_exists')) throw error
}

/** Mails again what is outstanding; an address with nothing outstanding gets the same answer and no mail. */
export async function resend(deps: AuthDeps, input: z.output<typeof resendInput>, request: MailRequest): Promise<void> {
  const { type } = input
  if (input.phone || type === 'sms' || type === 'phone_change') throw new AppError('phone_provider_disabled')
  if (type !== 'signup' && type !== 'email_change') {
    throw new AppError('validation_failed', { message: 'Missing or unsupported type: expected signup or email_change' })
  }
  const email = requireEmail(input.email)
  const challenge = readChallenge(input)
  await takeMailTurn(deps.database.db, type === 'signup' ? 'confirmation' : 'email_change', email, deps.clock())
  if (type === 'email_change') return resendEmailChange(deps, email, challenge, request)
  const user = await findByEmail(deps, email)
  if (user && !user.emailConfirmedAt) await mail(deps, { type, userId: user.id, email, challenge, ...request })
}

/** To those mailboxes that have not agreed yet; the address given may be the present one or the new one. */
async function resendEmailChange(deps: AuthDeps, email: string, challenge: Challenge | null, request: MailRequest) {
  const now = deps.clock()
  await deps.database.db.transaction(async (tx) => {
    const outstanding = await tx
      .select({ userId: users.id, mailbox: oneTimeTokens.relatesTo, newEmail: users.emailChange })
      .from(oneTimeTokens)
      .innerJoin(users, eq(users.id, oneTimeTokens.userId))
      .where(
        and(
          or(eq(users.email, email), eq(users.emailChange, email)),
          inArray(oneTimeTokens.tokenType, ['email_change_token_new', 'email_change_token_current']),
        ),
      )
    for (const { userId, mailbox, newEmail } of outstanding) {
      if (!newEmail) continue
      await mailToken(tx, deps, { type: 'email_change', userId, email: mailbox, newEmail, challenge, ...request, now })
    }
  })
}

async function findByEmail({ database }: AuthDeps, email: string) {
  const [user] = await database.db
    .select({ id: users.id, emailConfirmedAt: users.emailConfirmedAt })
    .from(users)
    .where(and(eq(users.email, email), isNull(users.deletedAt)))
  return user
}

type PlainMail = {
  type: 'signup' | 'recovery' | 'magiclink'
  userId: string
  email: string
  challenge: Challenge | null
  redirectTo: string
}

const mail = (deps: AuthDeps, plain: PlainMail) =>
  deps.database.db.transaction((tx) => mailToken(tx, deps, { ...plain, now: deps.clock() }))
