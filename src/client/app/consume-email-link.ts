import { findAccountConflict, setPendingLinkSession } from '#client/lib/pending-link-session.ts'
import {
  type LinkPurpose,
  type LinkTokens,
  readLinkError,
  readLinkMessage,
  readLinkSession,
  readStoredSession,
} from '#client/lib/stored-session.ts'
import { toast } from '#client/lib/toast.ts'

import { confirmedSignUp, invitedTo } from './sign-in-location-state.ts'

/**
 * Reads the session, error or message that an emailed link carries in the URL fragment, and removes it from the address
 * bar and history. Runs before the router starts, so that no guard redirects first.
 * @returns the session's tokens, unless the user is signed in to another account and has to decide first
 */
export function consumeEmailLink(): LinkTokens | null {
  const { hash, pathname, search } = window.location
  const session = readLinkSession(hash)
  if (session) {
    const address = pathname + search
    const { tokens, purpose } = session
    const { to, state } = destinationOf(purpose, address)
    const others = findAccountConflict(tokens, readStoredSession())
    if (others) {
      setPendingLinkSession({ tokens, ...others, destination: { to, state } })
      goTo('/auth/link')
      return null
    }
    goTo(to, state)
    return tokens
  }
  const failure = readLinkError(hash)
  const message = readLinkMessage(hash)
  if (failure) goTo('/auth/link', { ...failure, landedOn: pathname })
  else if (message) {
    goTo(pathname + search)
    toast.message(message)
  }
  return null
}

/** After confirming a sign-up, /auth continues onboarding if questions are unanswered. */
function destinationOf(purpose: LinkPurpose | null, address: string): { to: string; state: object | null } {
  if (purpose === null) return { to: address, state: null }
  if (purpose !== 'signup') {
    return { to: '/reset-password', state: purpose === 'invite' ? invitedTo(address) : null }
  }
  // The portal is the default destination, the landing page the fallback.
  const isDefault = address === '/portal' || address === '/'
  return isDefault ? { to: '/auth', state: confirmedSignUp } : { to: address, state: null }
}

/** Sets the location's state in the router's format, where it is `usr`. */
const goTo = (address: string, state: object | null = null) => window.history.replaceState({ usr: state }, '', address)
