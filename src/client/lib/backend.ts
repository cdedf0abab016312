import { AuthClient } from '@supabase/auth-js'
import { publishableKey } from '#shared/publishable-key.ts'
import { importInBackground } from './background-import.ts'
import { hasCurrentSessionEnded, markSessionEnded } from './ended-session.ts'
import { listChangeIds, removeChanges } from './offline/waiting-changes.ts'
import { createTokenRefresher, expiringByDeviceClock } from './refresh-token.ts'
import { sessionStorageKey } from './stored-session.ts'

/*
 * The auth client of supabase-js. Import it through `loadBackend` only: it is as large as three pages, and needed to sign
 * in, to change the account and to renew a token.
 */
const { origin, hostname } = window.location

/** Detects ended sessions from responses, because auth-js doesn't report which request was rejected. */
const sessionTrackingFetch: typeof fetch = async (input, init) => {
  // Lets the sign-out request finish if the page is closed right away.
  const keepalive = String(input).includes('/logout')
  const response = await fetch(input, { ...init, keepalive })
  const isRejected = response.status >= 400 && response.status < 500 && response.status !== 429
  if (isRejected && String(input).includes('grant_type=refresh_token')) {
    markSessionEnded((JSON.parse(String(init?.body)) as { refresh_token: string }).refresh_token)
  } else if (response.headers.get('x-sb-error-code') === 'session_not_found') {
    markSessionEnded(new Headers(init?.headers).get('authorization')?.replace('Bearer ', '') ?? '')
  }
  return expiringByDeviceClock(response)
}

const auth = new AuthClient({
  url: `${origin}/auth/v1`,
  headers: { apikey: publishableKey, Authorization: `Bearer ${publishableKey}` },
  storageKey: sessionStorageKey(hostname),
  persistSession: true,
  autoRefreshToken: true,
  detectSessionInUrl: true,
  experimental: { passkey: true },
  fetch: sessionTrackingFetch,
})

auth.onAuthStateChange((event) => {
  if (event === 'SIGNED_OUT') void wipeOnSignOut()
})

/** Removes what this browser keeps for use offline, except unsent changes if the server ended the session. */
async function wipeOnSignOut() {
  const keepUnsent = hasCurrentSessionEnded()
  try {
    const { wipeDevice } = await importInBackground(() => import('./offline/wipe-device.ts'))
    await wipeDevice({ keepUnsent })
  } catch (error) {
    // The code can't be loaded offline, or the storage is blocked.
    console.error('The offline storage could not be emptied', error)
    indexedDB.deleteDatabase('front-counter')
    if (!keepUnsent) removeChanges(listChangeIds())
  }
}

const refreshToken = createTokenRefresher(auth)

/**
 * Renews an access token that was rejected with 401 and repeats the request. If the new token is rejected too, ends the
 * session on this device.
 */
async function repeatWithNewToken(
  rejected: Response,
  token: string,
  send: (token: string) => Promise<Response>,
): Promise<Response> {
  const refresh = await refreshToken(token)
  if (refresh === 'unknown') return rejected
  const [lastToken, retry] = refresh === 'ended' ? [token, rejected] : [refresh.token, await send(refresh.token)]
  if (retry.status === 401) await endSessionOf(lastToken)
  return retry
}

/** Does nothing if another session has started meanwhile, such as in another tab. */
async function endSessionOf(token: string) {
  if ((await auth.getSession()).data.session?.access_token !== token) return
  markSessionEnded(token)
  await auth.signOut({ scope: 'local' })
}

export const backend = { auth, repeatWithNewToken }
