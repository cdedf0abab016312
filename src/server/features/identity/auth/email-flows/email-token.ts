import { eq } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { users } from '#server/db/schema/index.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import {
  type ConfirmableEmail,
  confirmationEmail,
  emailChangeCurrentEmail,
  emailChangeNewEmail,
  inviteEmail,
  magicLinkEmail,
  recoveryEmail,
} from '#server/mail/texts/account-emails.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { type Challenge, createFlow, type FlowKind } from '../sessions/pkce-flow.ts'
import {
  type IssuedToken,
  issueOneTimeToken,
  issueSignUpToken,
  renewSignUpToken,
  type SignUpCredentials,
  type TokenKind,
  type TokenRow,
  tokenExpiry,
} from './one-time-token.ts'

/** `type` parameter of links and of POST /verify. */
export type LinkType = 'signup' | 'invite' | 'magiclink' | 'recovery' | 'email_change'

export const flowKindOf = (type: LinkType): FlowKind => (type === 'signup' ? 'email/signup' : type)

export type TokenEmail = {
  userId: string
  /** The recipient: for an email change, the address that has to confirm it. */
  email: string
  redirectTo: string
  challenge: Challenge | null
  now: Date
} & (
  | { type: Exclude<LinkType, 'email_change'>; data?: Record<string, unknown> }
  /** Credentials of a new sign-up, or the token of an earlier one to send again. */
  | { type: 'signup'; signUp: SignUpCredentials | TokenRow }
  | { type: 'email_change'; newEmail: string }
)

type MailDeps = Pick<AuthDeps, 'config' | 'secrets' | 'enqueue'>

/** Contents of one email. `token` also works as `token_hash`, without the address. */
export type IssuedLink = { link: string; code: string; token: string }

/** Issues a one-time token with its link. With a code challenge, only the client that requested the link can use it. */
export async function issueEmailToken(
  tx: Tx,
  deps: Pick<AuthDeps, 'config' | 'secrets'>,
  message: TokenEmail,
): Promise<IssuedLink> {
  const { userId, challenge, now, type } = message
  const { id, code, token: plainToken } = await issueToken(tx, deps, message)
  const token = challenge
    ? await createFlow(tx, { ...challenge, userId, kind: flowKindOf(type), oneTimeTokenId: id, now })
    : plainToken
  await tx.update(users).set(sentAtColumns(message)).where(eq(users.id, userId))
  return { code, token, link: verifyLink(deps.config.publicUrl, { ...message, token }) }
}

function issueToken(tx: Tx, { secrets }: Pick<AuthDeps, 'secrets'>, message: TokenEmail): Promise<IssuedToken> {
  const { userId, email, now } = message
  if ('signUp' in message) {
    return 'tokenHash' in message.signUp
      ? renewSignUpToken(tx, secrets, message.signUp, now)
      : issueSignUpToken(tx, secrets, { userId, email, credentials: message.signUp, now })
  }
  const data = 'data' in message ? message.data : undefined
  return issueOneTimeToken(tx, secrets, { userId, email, kind: tokenKindOf(message), data, now })
}

/** Issues a one-time token and queues its email in the same transaction. */
export async function sendTokenEmail(tx: Tx, deps: MailDeps, message: TokenEmail): Promise<void> {
  const { link, code } = await issueEmailToken(tx, deps, message)
  const expiresAt = tokenExpiry(message.now)
  await deps.enqueue(tx, emailJob, {
    ...compose(message, { to: message.email, config: deps.config, link, code }),
    expiresAt,
  })
}

function tokenKindOf(message: TokenEmail): TokenKind {
  if (message.type === 'signup' || message.type === 'invite') return 'confirmation_token'
  if (message.type !== 'email_change') return 'recovery_token'
  return message.email === message.newEmail ? 'email_change_token_new' : 'email_change_token_current'
}

const sentAtColumns = ({ type, now }: TokenEmail) => {
  if (type === 'signup') return { confirmationSentAt: now }
  if (type === 'invite') return { invitedAt: now, confirmationSentAt: now }
  return type === 'email_change' ? { emailChangeSentAt: now } : { recoverySentAt: now }
}

function compose(message: TokenEmail, parts: ConfirmableEmail) {
  switch (message.type) {
    case 'signup':
      return confirmationEmail(parts)
    case 'invite':
      return inviteEmail(parts)
    case 'magiclink':
      return magicLinkEmail(parts)
    case 'recovery':
      return recoveryEmail(parts)
    case 'email_change':
      return message.email === message.newEmail
        ? emailChangeNewEmail(parts)
        : emailChangeCurrentEmail({ ...parts, newEmail: message.newEmail })
  }
}

function verifyLink(publicUrl: string, link: { token: string; type: LinkType; redirectTo: string }): string {
  const query = new URLSearchParams({ token: link.token, type: link.type, redirect_to: link.redirectTo })
  return `${publicUrl}/auth/v1/verify?${query}`
}
