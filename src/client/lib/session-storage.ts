/** The key under which the protocol's own client keeps its session, so that an unmodified one shares ours. */
export const sessionStorageKey = (hostname: string) => `sb-${hostname.split('.')[0]}-auth-token`

/** Beside the session: how far somebody has answered the three questions. It goes when they sign out. */
export const onboardingDraftKey = 'front-counter-onboarding'

type Place = { hostname: string; search: string }

/**
 * Can there be a session at all? Either one is stored, or an address brings the code for one along. Only then is the
 * auth client worth its download: a visitor who has never signed in does not pay for it.
 */
export function mayHaveSession(place: Place, storage: Pick<Storage, 'getItem'>): boolean {
  const key = sessionStorageKey(place.hostname)
  if (new URLSearchParams(place.search).has('code') && storage.getItem(`${key}-code-verifier`)) return true
  return storage.getItem(key) !== null
}

const fragmentOf = (hash: string) => new URLSearchParams(hash.replace(/^#/, ''))

/** What went wrong with a link from a mail ("… has expired"): the server tells it in the fragment. */
export function linkError(hash: string): { problem: string; code: string | null } | null {
  const fragment = fragmentOf(hash)
  const problem = fragment.get('error_description')
  return problem === null ? null : { problem, code: fragment.get('error_code') }
}

/** What a link has to say beside opening a page: one of two mailboxes has agreed, say. */
export const linkMessage = (hash: string): string | null => {
  const fragment = fragmentOf(hash)
  return fragment.has('sb') ? fragment.get('message') : null
}

export type LinkTokens = { access_token: string; refresh_token: string }

/** What a link is for, where that leads elsewhere than its address: to a password, or to the three questions. */
export type LinkPurpose = 'recovery' | 'invite' | 'signup'
const purposes: readonly string[] = ['recovery', 'invite', 'signup'] satisfies LinkPurpose[]
const asPurpose = (type: string | null) => (type !== null && purposes.includes(type) ? (type as LinkPurpose) : null)

/** The session that a link brings along. */
export function linkSession(hash: string): { tokens: LinkTokens; purpose: LinkPurpose | null } | null {
  const fragment = fragmentOf(hash)
  const [access_token, refresh_token] = [fragment.get('access_token'), fragment.get('refresh_token')]
  if (!access_token || !refresh_token) return null
  return { tokens: { access_token, refresh_token }, purpose: asPurpose(fragment.get('type')) }
}
