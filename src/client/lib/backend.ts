import { AuthClient } from '@supabase/auth-js'
import { FunctionsClient } from '@supabase/functions-js'
import { PostgrestClient } from '@supabase/postgrest-js'
import { publishableKey, sessionStorageKey } from './session-storage.ts'

/*
 * The protocol's client, composed of the three parts that are used: a third of the whole package's size.
 * Imported dynamically and only through `loadBackend`, because visitors without a session never need it.
 */
const { origin, hostname } = window.location

const auth = new AuthClient({
  url: `${origin}/auth/v1`,
  headers: { apikey: publishableKey, Authorization: `Bearer ${publishableKey}` },
  storageKey: sessionStorageKey(hostname),
  persistSession: true,
  autoRefreshToken: true,
  detectSessionInUrl: true,
})

/** Every call carries the token of the moment; without a session it goes out as what it is, anonymous. */
const authorizedFetch: typeof fetch = async (input, init) => {
  const { data } = await auth.getSession()
  const headers = new Headers(init?.headers)
  headers.set('apikey', publishableKey)
  if (data.session) headers.set('Authorization', `Bearer ${data.session.access_token}`)
  return fetch(input, { ...init, headers })
}

export const backend = {
  auth,
  functions: new FunctionsClient(`${origin}/functions/v1`, { customFetch: authorizedFetch }),
  rest: new PostgrestClient(`${origin}/rest/v1`, { fetch: authorizedFetch }),
}
