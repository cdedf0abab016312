import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { users } from '#server/db/schema/index.ts'
import { AppError } from '#shared/errors.ts'
import type { AuthDeps } from './auth-deps.ts'
import type { ClientFacts } from './client-facts.ts'
import { type Challenge, challengeFields, readChallenge } from './code-challenge.ts'
import { createUser } from './create-user.ts'
import { requireEmail } from './email-address.ts'
import { rememberAddress } from './known-address.ts'
import { countMail, takeMailTurn } from './mail-interval.ts'
import { mailToken } from './mail-token.ts'
import { type OpenedSession, openSession } from './open-session.ts'
import { requireGoodPassword } from './password-policy.ts'
import { findUser } from './session-row.ts'
import { requireModestData, type UserData, userDataField } from './user-data.ts'
import { toWireUser, type WireUser } from './wire-user.ts'

export const signUpInput = z.object({
  email: z.string().nullish(),
  phone: z.string().nullish(),
  password: z.string().nullish(),
  data: userDataField,
  ...challengeFields,
})

type SignUpRequest = { client: ClientFacts; redirectTo: string }
type NewAccount = { email: string; passwordHash: string; data: UserData; challenge: Challenge | null }

/**
 * Makes an account. A session comes at once and the address is proven later, unless the operator demands the proof
 * first: then the answer is a bare user, and it looks the same when the address is taken.
 * @throws AppError user_already_exists (session at once), weak_password, validation_failed, …_provider_disabled
 */
export async function signUp(
  deps: AuthDeps,
  input: z.output<typeof signUpInput>,
  request: SignUpRequest,
): Promise<OpenedSession | { bareUser: Partial<WireUser> }> {
  if (input.email && input.phone) {
    throw new AppError('validation_failed', {
      message: 'Only an email address or phone number should be provided on signup.',
    })
  }
  if (input.phone) throw new AppError('phone_provider_disabled')
  if (!input.email) throw new AppError('anonymous_provider_disabled')
  if (!input.password) throw new AppError('validation_failed', { message: 'Signup requires a valid password' })
  requireGoodPassword(input.password)
  const email = requireEmail(input.email)
  const data = requireModestData(input.data ?? {})
  const challenge = readChallenge(input)

  const passwordHash = await deps.hasher.hash(input.password)
  const account = { email, passwordHash, data, challenge }
  return deps.config.auth.confirmEmailFirst
    ? { bareUser: await registerUnconfirmed(deps, account, request) }
    : openAccount(deps, account, request)
}

/** One transaction for everything, the mail's job included: an account either exists with all of it or not at all. */
function openAccount(
  deps: AuthDeps,
  account: NewAccount,
  { client, redirectTo }: SignUpRequest,
): Promise<OpenedSession> {
  const now = deps.clock()
  return deps.database.db.transaction(async (tx) => {
    const user = await createUser(tx, { ...account, now })
    await countMail(tx, 'confirmation', user.email, now)
    await mailToken(tx, deps, {
      type: 'signup',
      userId: user.id,
      email: user.email,
      redirectTo,
      challenge: account.challenge,
      now,
    })
    await rememberAddress(tx, { userId: user.id, client, now })
    return openSession(tx, { userId: user.id, method: 'password', client, now })
  })
}

/**
 * The interval is counted before anybody looks whether the address is taken, and a taken one is answered with a user
 * that does not exist: status, shape and time are the same.
 */
async function registerUnconfirmed(
  deps: AuthDeps,
  account: NewAccount,
  { redirectTo }: SignUpRequest,
): Promise<Partial<WireUser>> {
  const now = deps.clock()
  const { email, challenge } = account
  await takeMailTurn(deps.database.db, 'confirmation', email, now)
  const userId = await deps.database.db
    .transaction(async (tx) => {
      const [present] = await tx
        .select({ id: users.id, confirmedAt: users.emailConfirmedAt })
        .from(users)
        .where(eq(users.email, email))
      if (present?.confirmedAt) return null
      const id = present?.id ?? (await createUser(tx, { ...account, now })).id
      await mailToken(tx, deps, { type: 'signup', userId: id, email, redirectTo, challenge, now })
      return id
    })
    .catch((error: unknown) => {
      // Two sign-ups at once: the other one has made the account and sent its mail.
      if (error instanceof AppError && error.code === 'user_already_exists') return null
      throw error
    })
  const user = userId ? await findUser(deps.database, userId) : null
  return user ? toWireUser(user) : imaginaryUser(account, now)
}

const imaginaryUser = ({ email, data }: NewAccount, now: Date): Partial<WireUser> => ({
  id: crypto.randomUUID(),
  aud: 'authenticated',
  role: '',
  email,
  phone: '',
  confirmation_sent_at: now.toISOString(),
  app_metadata: { provider: 'email', providers: ['email'] },
  user_metadata: data,
  identities: [],
  created_at: now.toISOString(),
  updated_at: now.toISOString(),
  is_anonymous: false,
})
