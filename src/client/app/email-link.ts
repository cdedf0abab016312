import { anotherThanHere, holdLink, storedSession } from '#client/lib/held-link.ts'
import { type LinkPurpose, type LinkTokens, linkError, linkMessage, linkSession } from '#client/lib/session-storage.ts'
import { toast } from '#client/lib/toast.ts'

import { confirmedSignUp, invitedTo } from './location-state.ts'

/**
 * A mailed link leads to the page that asked for it, or to the front page when that is not allowed; what it brings along
 * is in the fragment. Called before there is a router, so that no page and no guard gets in between, and the tokens of a
 * session stand neither in the address bar nor in the history.
 */
export function consumeEmailLink(): LinkTokens | null {
  const { hash, pathname, search } = window.location
  const arrived = linkSession(hash)
  if (arrived) {
    const address = pathname + search
    const { tokens, purpose } = arrived
    const { to, state } = destinationOf(purpose, address)
    const others = anotherThanHere(tokens, storedSession())
    if (others) {
      holdLink({ tokens, ...others, goOn: { to, state } })
      goTo('/auth/link')
      return null
    }
    goTo(to, state)
    return tokens
  }
  const failure = linkError(hash)
  const message = linkMessage(hash)
  if (failure) goTo('/auth/link', { ...failure, landedOn: pathname })
  else if (message) {
    goTo(pathname + search)
    toast.message(message)
  }
  return null
}

/** A confirmed sign-up goes on with the three questions, wherever they were left; the page sees whether they are due. */
function destinationOf(purpose: LinkPurpose | null, address: string): { to: string; state: object | null } {
  if (purpose === null) return { to: address, state: null }
  if (purpose !== 'signup') {
    return { to: '/reset-password', state: purpose === 'invite' ? invitedTo(address) : null }
  }
  // The portal, or the front page where the sign-up named no page.
  const isOurs = address === '/portal' || address === '/'
  return isOurs ? { to: '/auth', state: confirmedSignUp } : { to: address, state: null }
}

/** In the router's own form: it finds `usr` as the location's state. */
const goTo = (address: string, state: object | null = null) => window.history.replaceState({ usr: state }, '', address)
