import type { AppError } from '#shared/errors.ts'
import type { AuthDeps } from '../auth-deps.ts'
import type { ClientInfo } from '../sessions/client-info.ts'
import type { IssuedSession } from '../sessions/create-session.ts'
import { pkcePrefix } from '../sessions/pkce-flow.ts'
import { answerSignIn, type WireSession } from '../sessions/session-response.ts'
import { type Confirmation, redeemToken } from './redeem-token.ts'
import { findLink } from './verify.ts'

/** Parameters of an emailed link. `redirectTo` has been checked against the allow list. */
export type EmailLink = { token: string; type: string; redirectTo: string; choice: Confirmation['choice'] }

const isPkce = (link: EmailLink) => link.token.startsWith(pkcePrefix)

const firstAddressConfirmed = 'Confirmation link accepted. Please proceed to confirm link sent to the other email'

/** Redeems a link after the user's click. @returns the redirect target, and the new session if any */
export async function followLink(
  deps: AuthDeps,
  link: EmailLink,
  client: ClientInfo,
): Promise<{ location: string; opened: IssuedSession | null }> {
  const found = await findLink(deps, link.token, link.type)
  const { choice } = link
  const redeemed = await redeemToken(deps, found, { by: 'link', choice, client, asAuthCode: isPkce(link) })
  switch (redeemed.kind) {
    case 'session': {
      const session = await answerSignIn(deps, redeemed.opened)
      return {
        location: withFragment(link.redirectTo, sessionFragment(session, link.type)),
        opened: redeemed.opened,
      }
    }
    case 'auth-code':
      return { location: withQuery(link.redirectTo, { code: redeemed.code }), opened: null }
    case 'pending': {
      const message = { message: firstAddressConfirmed }
      const target = isPkce(link) ? withQuery(link.redirectTo, message) : link.redirectTo
      return { location: withFragment(target, message), opened: null }
    }
  }
}

/** The redirect target for an error, with the error in the fragment. */
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

/** The empty `sb` parameter marks the fragment for Supabase clients. */
const withFragment = (target: string, parts: Record<string, string>) =>
  `${target.split('#')[0]}#${new URLSearchParams({ ...parts, sb: '' })}`

/** Appends to the existing query, which stays unchanged. */
function withQuery(target: string, parts: Record<string, string>): string {
  const [address = '', fragment] = target.split('#')
  const joint = address.includes('?') ? '&' : '?'
  return `${address}${joint}${new URLSearchParams(parts)}${fragment ? `#${fragment}` : ''}`
}
