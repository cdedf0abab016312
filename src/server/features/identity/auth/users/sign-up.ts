import { eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '#server/db/database.ts'
import { users } from '#server/db/schema/index.ts'
import { AppError } from '#shared/errors.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { requireEmail } from '../email-flows/email-address.ts'
import { sendTokenEmail } from '../email-flows/email-token.ts'
import { recordEarlierSignUp } from '../email-flows/one-time-token.ts'
import { requireAcceptableSignUp } from '../limits/bot-protection.ts'
import { consumeEmailLimit, countEmail, tryDailyEmailLimit } from '../limits/email-limits.ts'
import { rememberSignInAddress } from '../limits/known-ip-addresses.ts'
import { captchaFields } from '../limits/proof-of-work.ts'
import { requireGoodPassword } from '../passwords/password-policy.ts'
import { recordSecurityEvent } from '../security/security-event.ts'
import type { ClientInfo } from '../sessions/client-info.ts'
import { createSession, type IssuedSession } from '../sessions/create-session.ts'
import { type Challenge, challengeFields, readCodeChallenge } from '../sessions/pkce-flow.ts'
import { findUser } from '../sessions/session-row.ts'
import { createAnonymousUser, createUser } from './create-user.ts'
import { setCredentials } from './set-credentials.ts'
import { requireMetadataSize, type UserData, userDataField } from './user-metadata.ts'
import { toWireUser, type WireUser } from './user-response.ts'

export const signUpInput = z.object({
  email: z.string().nullish(),
  phone: z.string().nullish(),
  password: z.string().nullish(),
  data: userDataField,
  ...challengeFields,
  ...captchaFields,
})

type SignUpRequest = { client: ClientInfo; redirectTo: string }
type NewAccount = { email: string; passwordHash: string; data: UserData; challenge: Challenge | null }

/**
 * Signs up. Returns a session, or with EMAIL_CONFIRMATION=first a user without one, even for a taken address.
 * @throws AppError signup_disabled, user_already_exists (unless EMAIL_CONFIRMATION=first), weak_password,
 * validation_failed, email_address_…, captcha_failed, …_provider_disabled
 */
export async function signUp(
  deps: AuthDeps,
  input: z.output<typeof signUpInput>,
  request: SignUpRequest,
): Promise<IssuedSession | { bareUser: Partial<WireUser> }> {
  if (!deps.config.auth.signUpEnabled) throw new AppError('signup_disabled')
  if (input.email && input.phone) {
    throw new AppError('validation_failed', {
      message: 'Only an email address or phone number should be provided on signup.',
    })
  }
  if (input.phone) throw new AppError('phone_provider_disabled')
  const given = requireMetadataSize(input.data ?? {})
  if (!input.email) return signUpAnonymously(deps, input, given, request)
  if (!input.password) throw new AppError('validation_failed', { message: 'Signup requires a valid password' })
  requireGoodPassword(deps.config, input.password, input.email)
  const email = requireEmail(input.email)
  const challenge = readCodeChallenge(input)
  const { data, isBot } = await requireAcceptableSignUp(deps, { ...input, email, data: given })
  if (isBot) return { bareUser: fakeUser({ email, data }, deps.clock()) }

  const passwordHash = await deps.hasher.hash(input.password)
  const account = { email, passwordHash, data, challenge }
  return deps.config.auth.emailConfirmation === 'first'
    ? { bareUser: await registerUnconfirmed(deps, account, request) }
    : registerWithSession(deps, account, request)
}

/** Creates an anonymous user with a session. */
async function signUpAnonymously(
  deps: AuthDeps,
  input: z.output<typeof signUpInput>,
  given: UserData,
  { client }: SignUpRequest,
): Promise<IssuedSession> {
  if (!deps.config.auth.anonymousSignIn) throw new AppError('anonymous_provider_disabled')
  const { data } = await requireAcceptableSignUp(deps, { ...input, email: null, data: given })
  const now = deps.clock()
  return deps.database.db.transaction(async (tx) => {
    const userId = await createAnonymousUser(tx, { data, now })
    await recordSecurityEvent(tx, { event: 'signed_up', userId, email: '', client, now })
    return createSession(tx, { userId, method: 'anonymous', client, now })
  })
}

/** Creates the account, its session and the confirmation email's job in one transaction. */
async function registerWithSession(deps: AuthDeps, account: NewAccount, { client, redirectTo }: SignUpRequest) {
  const now = deps.clock()
  const needsConfirmation = deps.config.auth.emailConfirmation === 'later'
  const issued = await deps.database.db.transaction(async (tx) => {
    const { id: userId, email } = await createUser(tx, deps, {
      ...account,
      confirmedAt: needsConfirmation ? null : now,
      emailVerified: false,
      now,
    })
    await recordSecurityEvent(tx, { event: 'signed_up', userId, email, client, now })
    if (needsConfirmation) {
      await countEmail(tx, 'confirmation', email, now)
      // Over the daily limit the account is created without an email, which the user can request later.
      if (await tryDailyEmailLimit(tx, 'confirmation', email, now))
        await sendTokenEmail(tx, deps, { type: 'signup', userId, email, redirectTo, challenge: account.challenge, now })
    }
    await rememberSignInAddress(tx, { userId, client, now })
    return createSession(tx, { userId, method: 'password', client, now })
  })
  await deps.onVisitorKnown(issued.userId, client)
  return issued
}

/**
 * Registers without a session (EMAIL_CONFIRMATION=first). For a taken address it does the same work, rolls it back, and
 * returns a fake user.
 */
async function registerUnconfirmed(deps: AuthDeps, account: NewAccount, request: SignUpRequest) {
  const now = deps.clock()
  const { email } = account
  const userId = await deps.database.db
    .transaction(async (tx) => {
      await consumeEmailLimit(tx, 'confirmation', email, now)
      // Locks out a concurrent confirmation, after which this sign-up must not change anything.
      const [present] = await tx.select().from(users).where(eq(users.email, email)).for('update')
      if (!present?.emailConfirmedAt) return register(tx, deps, { ...account, present }, request, now)
      await simulateRegistration(tx, deps, account, request, now)
      return crypto.randomUUID()
    })
    .catch((error: unknown) => {
      // A concurrent sign-up created the account and sent its email.
      if (error instanceof AppError && error.code === 'user_already_exists') return crypto.randomUUID()
      throw error
    })
  await deps.onVisitorKnown(userId, request.client)
  const user = await findUser(deps.database, userId)
  if (!user) return fakeUser(account, now)
  // Don't reveal data of earlier sign-ups with this address.
  const { invited_at: _, ...wire } = toWireUser(user)
  const { app_metadata, user_metadata } = fakeUser(account, now)
  const identities = wire.identities.map((identity) => ({ ...identity, identity_data: ownIdentity(account, userId) }))
  return { ...wire, app_metadata, user_metadata, identities }
}

const ownIdentity = ({ email, data }: NewAccount, userId: string) => ({
  ...data,
  sub: userId,
  email,
  email_verified: false,
  phone_verified: false,
})

async function register(
  tx: Tx,
  deps: Pick<AuthDeps, 'config' | 'secrets' | 'enqueue'>,
  account: NewAccount & { present: typeof users.$inferSelect | undefined },
  { client, redirectTo }: SignUpRequest,
  now: Date,
): Promise<string> {
  const { email, challenge, passwordHash, data, present } = account
  const userId = present?.id ?? (await createUser(tx, deps, { ...account, now })).id
  if (!present) await recordSecurityEvent(tx, { event: 'signed_up', userId, email, client, now })
  // This password only yields the error that the address isn't confirmed, until it is.
  if (present && !present.createdByAdmin) {
    await recordEarlierSignUp(tx, { userId, email, passwordHash: present.encryptedPassword, now })
    // Accounts from before EMAIL_CONFIRMATION=first that have signed in keep their credentials.
    if (!present.lastSignInAt) await setCredentials(tx, { userId, email, passwordHash, data, now })
  }
  const signUp = { passwordHash, data }
  await sendTokenEmail(tx, deps, { type: 'signup', userId, email, redirectTo, challenge, signUp, now })
  return userId
}

/** Does the same work as `register` and rolls it back. */
async function simulateRegistration(tx: Tx, deps: AuthDeps, account: NewAccount, request: SignUpRequest, now: Date) {
  const rollback = new Error('rolled back on purpose')
  const placeholder = { ...account, present: undefined, email: `${crypto.randomUUID()}@nobody.invalid` }
  await tx
    .transaction(async (inner) => {
      await register(inner, deps, placeholder, request, now)
      throw rollback
    })
    .catch((error: unknown) => {
      if (error !== rollback) throw error
    })
}

const fakeUser = ({ email, data }: Pick<NewAccount, 'email' | 'data'>, now: Date): Partial<WireUser> => ({
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
