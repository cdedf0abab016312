import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { sqlState, type Tx, uniqueViolation } from '#server/db/database.ts'
import { users } from '#server/db/schema/index.ts'
import { AppError } from '#shared/errors.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { isTaken } from '../email-flows/change-email.ts'
import { requireEmail } from '../email-flows/email-address.ts'
import { issueEmailToken, sendTokenEmail } from '../email-flows/email-token.ts'
import { consumeDailyEmailLimit } from '../limits/email-limits.ts'
import { requireGoodPassword } from '../passwords/password-policy.ts'
import { recordSecurityEvent } from '../security/security-event.ts'
import { createUser } from '../users/create-user.ts'
import { mergeUserData, requireMetadataSize, type UserData, userDataField } from '../users/user-metadata.ts'
import type { WireUser } from '../users/user-response.ts'
import { operator, requireUser } from './admin-change-user.ts'

const linkKinds = ['signup', 'magiclink', 'recovery', 'invite', 'email_change_current', 'email_change_new'] as const
type LinkKind = (typeof linkKinds)[number]

export const generateLinkInput = z.object({
  type: z.enum(linkKinds, { error: 'Unsupported verification type' }),
  email: z.string().nullish(),
  new_email: z.string().nullish(),
  password: z.string().nullish(),
  data: userDataField,
  redirect_to: z.string().nullish(),
})
type GenerateLinkInput = z.output<typeof generateLinkInput>

export const inviteInput = z.object({ email: z.string().nullish(), data: userDataField })

type Account = typeof users.$inferSelect

/**
 * Generates the link and code of an email without sending it. Doesn't count toward the user's limits.
 * @throws AppError user_not_found (404), email_exists, validation_failed, weak_password
 */
export async function generateLink(deps: AuthDeps, input: GenerateLinkInput, redirectTo: string) {
  const email = requireEmail(input.email)
  const data = requireMetadataSize(input.data ?? {})
  const passwordHash = await readLinkPassword(deps, input, email)
  const now = deps.clock()
  const made = await orEmailExists(
    deps.database.db.transaction(async (tx) => {
      const { user, kind } = await findOrCreateAccount(tx, deps, { kind: input.type, email, data, passwordHash, now })
      const common = { userId: user.id, redirectTo, challenge: null, now }
      // The link gives access to the account, so it is recorded in the owner's log.
      const note = `created a link: ${kind}`
      await recordSecurityEvent(tx, { event: 'user_updated', userId: user.id, email, by: operator, note, now })
      if (kind !== 'email_change_current' && kind !== 'email_change_new') {
        const message = { ...common, email, ...linkPayload(user, kind, { passwordHash, data }) }
        return { userId: user.id, kind, issued: await issueEmailToken(tx, deps, message) }
      }
      const newEmail = await startEmailChange(tx, deps, { user, kind, newEmail: requireEmail(input.new_email), now })
      const mailbox = kind === 'email_change_new' ? newEmail : email
      const issued = await issueEmailToken(tx, deps, { ...common, type: 'email_change', email: mailbox, newEmail })
      return { userId: user.id, kind, issued }
    }),
  )
  const { issued, kind, userId } = made
  return {
    ...(await requireUser(deps, userId)),
    action_link: issued.link,
    email_otp: issued.code,
    hashed_token: issued.token,
    verification_type: kind,
    redirect_to: redirectTo,
  }
}

/** Credentials and metadata that take effect with the link. */
function linkPayload(
  user: Account,
  type: Exclude<LinkKind, 'email_change_current' | 'email_change_new'>,
  { passwordHash, data }: { passwordHash: string | null; data: UserData },
) {
  if (type === 'signup' && passwordHash && !user.createdByAdmin) return { type, signUp: { passwordHash, data } }
  return type === 'signup' || type === 'invite' ? { type, data } : { type }
}

async function readLinkPassword(deps: AuthDeps, { type, password }: GenerateLinkInput, email: string) {
  if (type !== 'signup') return null
  if (!password) throw new AppError('validation_failed', { message: 'Signup requires a valid password' })
  requireGoodPassword(deps.config, password, email)
  return deps.hasher.hash(password)
}

/**
 * Creates an account and emails an invitation.
 * @throws AppError email_exists if the address is already confirmed, over_email_send_rate_limit
 */
export async function invite(
  deps: AuthDeps,
  input: z.output<typeof inviteInput>,
  redirectTo: string,
): Promise<WireUser> {
  const email = requireEmail(input.email)
  const data = requireMetadataSize(input.data ?? {})
  const now = deps.clock()
  const userId = await orEmailExists(
    deps.database.db.transaction(async (tx) => {
      await consumeDailyEmailLimit(tx, 'invitation', email, now)
      const { user } = await findOrCreateAccount(tx, deps, { kind: 'invite', email, data, passwordHash: null, now })
      await sendTokenEmail(tx, deps, { type: 'invite', userId: user.id, email, redirectTo, challenge: null, data, now })
      return user.id
    }),
  )
  return requireUser(deps, userId)
}

/** The unique index decides between concurrent requests. */
async function orEmailExists<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const taken =
      sqlState(error) === uniqueViolation || (error instanceof AppError && error.code === 'user_already_exists')
    throw taken ? new AppError('email_exists', { cause: error }) : error
  }
}

type AccountRequest = { kind: LinkKind; email: string; data: UserData; passwordHash: string | null; now: Date }

/** Finds the account of a link, or creates it for sign-up and invitation links. */
async function findOrCreateAccount(
  tx: Tx,
  deps: AuthDeps,
  wanted: AccountRequest,
): Promise<{ user: Account; kind: LinkKind }> {
  const { email, data, now } = wanted
  const [present] = await tx.select().from(users).where(eq(users.email, email)).for('update')
  const mayCreate = wanted.kind === 'signup' || wanted.kind === 'invite'
  if (present && mayCreate && present.emailConfirmedAt) throw new AppError('email_exists')
  if (!present && !mayCreate && wanted.kind !== 'magiclink') throw new AppError('user_not_found', { status: 404 })
  // A sign-in link for an unknown address becomes a sign-up link.
  const kind = !present && wanted.kind === 'magiclink' ? 'signup' : wanted.kind
  const userId = present?.id ?? (await createUser(tx, deps, { ...wanted, createdByAdmin: true })).id
  if (!present || wanted.kind === 'invite') {
    const event = wanted.kind === 'invite' ? 'user_invited' : 'user_created'
    await recordSecurityEvent(tx, { event, userId, email, by: operator, now })
  }
  if (present && mayCreate) {
    const rawUserMetaData = requireMetadataSize(mergeUserData(present.rawUserMetaData, data))
    await tx.update(users).set({ rawUserMetaData, updatedAt: now }).where(eq(users.id, userId))
  }
  const [user] = await tx.select().from(users).where(eq(users.id, userId))
  if (!user) throw new AppError('user_not_found', { status: 404 })
  return { user, kind }
}

type Change = { user: Account; kind: LinkKind; newEmail: string; now: Date }

/** Starts an email change. Each address's link is a request of its own; the second one finds the change started. */
async function startEmailChange(tx: Tx, { config }: AuthDeps, { user, kind, newEmail, now }: Change): Promise<string> {
  const { secureEmailChange } = config.auth
  if (!secureEmailChange && kind === 'email_change_current') {
    throw new AppError('validation_failed', {
      message: 'Enable secure email change to generate link for current email',
    })
  }
  if (await isTaken(tx, newEmail, user.id)) throw new AppError('email_exists')
  if (user.emailChange !== newEmail) {
    const needsBoth = secureEmailChange && user.emailConfirmedAt !== null
    await tx
      .update(users)
      .set({ emailChange: newEmail, emailChangeConfirmStatus: needsBoth ? 0 : 1, updatedAt: now })
      .where(eq(users.id, user.id))
  }
  return newEmail
}
