import type { Session } from '@supabase/auth-js'

/** Storage key of supabase-js, so that an unmodified client shares the session. */
export const sessionStorageKey = (hostname: string) => `sb-${hostname.split('.')[0]}-auth-token`

/** The auth client renews tokens when they are about to expire; this leaves it time to load. */
export const renewBeforeMs = 120_000

type Timed = { access_token: string; refresh_token: string; expires_at: number; user: { id: string } }

function isComplete(session: unknown): session is Timed {
  const { access_token, refresh_token, expires_at, user } = (session ?? {}) as Partial<Record<keyof Timed, unknown>>
  return (
    typeof access_token === 'string' &&
    typeof refresh_token === 'string' &&
    typeof expires_at === 'number' &&
    typeof (user as { id?: unknown } | null | undefined)?.id === 'string'
  )
}

type KeptSession = Session & { expires_at: number }

/** The stored session, whose token may have expired; null if there is none. */
export function readKeptSession(stored: string | null): KeptSession | null {
  try {
    const session: unknown = JSON.parse(stored ?? 'null')
    return isComplete(session) ? (session as KeptSession) : null
  } catch {
    return null
  }
}

/** The stored session if its token is valid for some time; null if only the auth client can tell. */
export function readFreshSession(stored: string | null, now: number): KeptSession | null {
  const session = readKeptSession(stored)
  return session && session.expires_at * 1000 - now >= renewBeforeMs ? session : null
}

export const readStoredSession = () => window.localStorage.getItem(sessionStorageKey(window.location.hostname))

/** Storage key of unfinished onboarding answers. Removed on sign-out. */
export const onboardingDraftKey = 'front-counter-onboarding'

/** Longer than a confirmation link is valid (one hour), so answers survive until the same evening. */
export const onboardingDraftMaxAgeMs = 24 * 60 * 60 * 1000

/** Returns true if this user closed the questions of the sign-up before the last one. Without the code that reads the answers. */
export function hasUnfinishedOnboarding(stored: string | null, email: string | undefined, now: number): boolean {
  try {
    const draft = JSON.parse(stored ?? 'null') as { email: string; savedAt: number } | null
    return draft?.email.toLowerCase() === email?.toLowerCase() && now - Number(draft?.savedAt) < onboardingDraftMaxAgeMs
  } catch {
    return false
  }
}

type Place = { hostname: string; search: string }

type ReadStorage = Pick<Storage, 'getItem'>

/** Returns true if the URL has a code for a session, which the auth client exchanges. */
export const hasSessionCode = (place: Place, storage: ReadStorage): boolean =>
  new URLSearchParams(place.search).has('code') &&
  storage.getItem(`${sessionStorageKey(place.hostname)}-code-verifier`) !== null

/** Returns true if a session is stored, or the URL has a code for one. If not, visitors don't download the auth client. */
export const mayHaveSession = (place: Place, storage: ReadStorage): boolean =>
  hasSessionCode(place, storage) || storage.getItem(sessionStorageKey(place.hostname)) !== null

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
