/** Storage key of supabase-js, so that an unmodified client shares the session. */
export const sessionStorageKey = (hostname: string) => `sb-${hostname.split('.')[0]}-auth-token`

/** Storage key of unfinished onboarding answers. Removed on sign-out. */
export const onboardingDraftKey = 'front-counter-onboarding'

type Place = { hostname: string; search: string }

/** Whether a session is stored, or the URL has a code for one. If not, visitors don't download the auth client. */
export function mayHaveSession(place: Place, storage: Pick<Storage, 'getItem'>): boolean {
  const key = sessionStorageKey(place.hostname)
  if (new URLSearchParams(place.search).has('code') && storage.getItem(`${key}-code-verifier`)) return true
  return storage.getItem(key) !== null
}

const fragmentOf = (hash: string) => new URLSearchParams(hash.replace(/^#/, ''))

/** Error of an emailed link ("… has expired"), which the server puts into the URL fragment. */
export function readLinkError(hash: string): { error: string; code: string | null } | null {
  const fragment = fragmentOf(hash)
  const error = fragment.get('error_description')
  return error === null ? null : { error, code: fragment.get('error_code') }
}

/** Message of an emailed link, such as that one of two addresses is confirmed. */
export const readLinkMessage = (hash: string): string | null => {
  const fragment = fragmentOf(hash)
  return fragment.has('sb') ? fragment.get('message') : null
}

export type LinkTokens = { access_token: string; refresh_token: string }

/** Purposes that open another page than the link's own path: choosing a password or onboarding. */
export type LinkPurpose = 'recovery' | 'invite' | 'signup'
const purposes: readonly string[] = ['recovery', 'invite', 'signup'] satisfies LinkPurpose[]
const asPurpose = (type: string | null) => (type !== null && purposes.includes(type) ? (type as LinkPurpose) : null)

/** Session tokens in the fragment of an emailed link. */
export function readLinkSession(hash: string): { tokens: LinkTokens; purpose: LinkPurpose | null } | null {
  const fragment = fragmentOf(hash)
  const [access_token, refresh_token] = [fragment.get('access_token'), fragment.get('refresh_token')]
  if (!access_token || !refresh_token) return null
  return { tokens: { access_token, refresh_token }, purpose: asPurpose(fragment.get('type')) }
}
