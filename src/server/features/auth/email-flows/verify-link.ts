import type { AppError } from '#shared/errors.ts'
import type { AuthDeps } from '../auth-deps.ts'
import type { ClientInfo } from '../sessions/client-info.ts'
import type { IssuedSession } from '../sessions/create-session.ts'
import { pkcePrefix } from '../sessions/pkce-flow.ts'
import { createSessionResponse, type WireSession } from '../sessions/session-response.ts'
import { type Confirmation, redeemToken } from './redeem-token.ts'
import { findLink } from './verify.ts'

/** A link as it was mailed; `redirectTo` is allowed already. */
export type EmailLink = { token: string; type: string; redirectTo: string; choice: Confirmation['choice'] }

const isPkce = (link: EmailLink) => link.token.startsWith(pkcePrefix)

const oneMailboxAgreed = 'Confirmation link accepted. Please proceed to confirm link sent to the other email'

/** Follows a confirmed link: where the browser goes next, and who was signed in on the way. */
export async function followLink(
  deps: AuthDeps,
  link: EmailLink,
  client: ClientInfo,
): Promise<{ location: string; opened: IssuedSession | null }> {
  const found = await findLink(deps, link.token, link.type)
  const { choice } = link
  const spent = await redeemToken(deps, found, { by: 'link', choice, client, asAuthCode: isPkce(link) })
  switch (spent.kind) {
    case 'session': {
      const session = await createSessionResponse(deps, spent.opened)
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
export function errorLocation(link: EmailLink, refusal: AppError): string {
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
