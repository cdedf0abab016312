import { AuthClient } from '@supabase/auth-js'
import { FunctionsClient } from '@supabase/functions-js'
import { PostgrestClient } from '@supabase/postgrest-js'
import { publishableKey } from '#shared/publishable-key.ts'
import { markSessionEnded } from './ended-session.ts'
import { createTokenRefresher } from './refresh-token.ts'
import { sessionStorageKey } from './session-storage.ts'

/*
 * The protocol's client, composed of the three parts that are used: a third of the whole package's size.
 * Imported dynamically and only through `loadBackend`, because visitors without a session never need it.
 */
const { origin, hostname } = window.location

/** Which of its calls were refused the auth client keeps to itself: that a session is gone or cannot be renewed is heard here. */
const listeningFetch: typeof fetch = async (input, init) => {
  // Signing out reaches the server even when the page is left in the next moment.
  const keepalive = String(input).includes('/logout')
  const response = await fetch(input, { ...init, keepalive })
  const refused = response.status >= 400 && response.status < 500 && response.status !== 429
  if (refused && String(input).includes('grant_type=refresh_token')) {
    markSessionEnded((JSON.parse(String(init?.body)) as { refresh_token: string }).refresh_token)
  } else if (response.headers.get('x-sb-error-code') === 'session_not_found') {
    markSessionEnded(new Headers(init?.headers).get('authorization')?.replace('Bearer ', '') ?? '')
  }
  return response
}

const auth = new AuthClient({
  url: `${origin}/auth/v1`,
  headers: { apikey: publishableKey, Authorization: `Bearer ${publishableKey}` },
  storageKey: sessionStorageKey(hostname),
  persistSession: true,
  autoRefreshToken: true,
  detectSessionInUrl: true,
  experimental: { passkey: true },
  fetch: listeningFetch,
})

const renew = createTokenRefresher(auth)

/**
 * Every call carries the token of the moment; without a session it goes out as what it is, anonymous. A token that is
 * refused is renewed once; when the new one is refused as well, the session is over on this device, too.
 */
const authorizedFetch: typeof fetch = async (input, init) => {
  const send = (token: string | undefined) => {
    const headers = new Headers(init?.headers)
    headers.set('apikey', publishableKey)
    if (token) headers.set('Authorization', `Bearer ${token}`)
    return fetch(input, { ...init, headers })
  }
  const token = (await auth.getSession()).data.session?.access_token
  const answer = await send(token)
  if (answer.status !== 401 || !token) return answer
  const renewal = await renew(token)
  if (renewal === 'unknown') return answer
  const [last, second] = renewal === 'over' ? [token, answer] : [renewal.token, await send(renewal.token)]
  if (second.status === 401) await endSessionOf(last)
  return second
}

/** Whoever has signed in anew meanwhile, in another tab for instance, keeps their session. */
async function endSessionOf(token: string) {
  if ((await auth.getSession()).data.session?.access_token !== token) return
  markSessionEnded(token)
  await auth.signOut({ scope: 'local' })
}

export const backend = {
  auth,
  functions: new FunctionsClient(`${origin}/functions/v1`, { customFetch: authorizedFetch }),
  rest: new PostgrestClient(`${origin}/rest/v1`, { fetch: authorizedFetch }),
}
