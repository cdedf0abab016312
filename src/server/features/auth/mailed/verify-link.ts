import type { AppError } from '#shared/errors.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { answerSession, type WireSession } from '../sessions/answer-session.ts'
import type { ClientFacts } from '../sessions/client-facts.ts'
import { pkcePrefix } from '../sessions/code-challenge.ts'
import type { OpenedSession } from '../sessions/open-session.ts'
import { type Confirmation, redeemToken } from './spend-token.ts'
import { findLink } from './verify.ts'

/** A link as it was mailed; `redirectTo` is allowed already. */
export type MailedLink = { token: string; type: string; redirectTo: string; choice: Confirmation['choice'] }

const isPkce = (link: MailedLink) => link.token.startsWith(pkcePrefix)

const oneMailboxAgreed = 'Confirmation link accepted. Please proceed to confirm link sent to the other email'

/** Follows a confirmed link: where the browser goes next, and who was signed in on the way. */
export async function followLink(
  deps: AuthDeps,
  link: MailedLink,
  client: ClientFacts,
): Promise<{ location: string; opened: OpenedSession | null }> {
  const found = await findLink(deps, link.token, link.type)
  const { choice } = link
  const spent = await redeemToken(deps, found, { by: 'link', choice, client, asAuthCode: isPkce(link) })
  switch (spent.kind) {
    case 'session': {
      const session = await answerSession(deps, spent.opened)
      return {
        location: withFragment(link.redirectTo, sessionFragment(session, link.type)),
        opened: spent.opened,
      }
    }
    case 'auth-code':
      return { location: withQuery(link.redirectTo, { code: spent.code }), opened: null }
    case 'half': {
      const message = { message: oneMailboxAgreed }
      const target = isPkce(link) ? withQuery(link.redirectTo, message) : link.redirectTo
      return { location: withFragment(target, message), opened: null }
    }
  }
}

/** A refusal travels in the fragment, since this is a navigation and nobody reads a body. */
export function refusalLocation(link: MailedLink, refusal: AppError): string {
  const error = errorByStatus[refusal.status]
  const parts = { ...(error && { error }), error_code: refusal.code, error_description: refusal.message }
  return withFragment(isPkce(link) ? withQuery(link.redirectTo, parts) : link.redirectTo, parts)
}

const errorByStatus: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  401: 'unauthorized_client',
  403: 'access_denied',
}

const sessionFragment = (session: WireSession, type: string) => ({
  access_token: session.access_token,
  expires_at: String(session.expires_at),
  expires_in: String(session.expires_in),
  refresh_token: session.refresh_token,
  token_type: session.token_type,
  type,
})

/** The empty `sb` at the end tells a client that the fragment is meant for it. */
const withFragment = (target: string, parts: Record<string, string>) =>
  `${target.split('#')[0]}#${new URLSearchParams({ ...parts, sb: '' })}`

/** Added behind what is there, which the client may have put there and wants back untouched. */
function withQuery(target: string, parts: Record<string, string>): string {
  const [address = '', fragment] = target.split('#')
  const joint = address.includes('?') ? '&' : '?'
  return `${address}${joint}${new URLSearchParams(parts)}${fragment ? `#${fragment}` : ''}`
}
