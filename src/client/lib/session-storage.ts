/** Opaque, public by design: it names the application, it grants nothing. */
export const publishableKey = 'sb_publishable_front_counter'

/** The key under which the protocol's own client keeps its session, so that an unmodified one shares ours. */
export const sessionStorageKey = (hostname: string) => `sb-${hostname.split('.')[0]}-auth-token`

type Place = { hostname: string; hash: string; search: string }

/**
 * Can there be a session at all? Either one is stored, or a link from a mail brings one along. Only then is the auth
 * client worth its download: a visitor who has never signed in does not pay for it.
 */
export function mayHaveSession(place: Place, storage: Pick<Storage, 'getItem'>): boolean {
  const fragment = new URLSearchParams(place.hash.replace(/^#/, ''))
  if (fragment.has('access_token')) return true
  const key = sessionStorageKey(place.hostname)
  if (new URLSearchParams(place.search).has('code') && storage.getItem(`${key}-code-verifier`)) return true
  return storage.getItem(key) !== null
}

/** What went wrong with a link from a mail ("… has expired"): the server tells it in the fragment. */
export const linkError = (hash: string): string | null =>
  new URLSearchParams(hash.replace(/^#/, '')).get('error_description')
