import { publishableKey } from '#shared/publishable-key.ts'
import { takeEarlyResponse } from './early-responses.ts'
import { networkError } from './error-message.ts'
import { loadBackend } from './load-backend.ts'
import { whenSessionKnown } from './session.ts'
import { readFreshSession, readStoredSession } from './stored-session.ts'

/**
 * The access token of the stored session, or null without one. Loads the auth client only if the token has to be renewed.
 * @throws CallError if it can't be renewed because the server can't be reached
 */
export async function readAccessToken(): Promise<string | null> {
  await whenSessionKnown()
  const stored = readStoredSession()
  const fresh = readFreshSession(stored, Date.now())
  if (fresh || stored === null) return fresh?.access_token ?? null
  const { data, error } = await (await loadBackend()).auth.getSession()
  if (error?.status === 0) throw networkError()
  return data.session?.access_token ?? null
}

/**
 * Sends a request with this access token. If the server rejects the token, renews it and sends the request once more.
 * @throws CallError if there is no response; the signal's reason if it was aborted
 */
export async function authorizedFetch(path: string, init: RequestInit, token: string | null): Promise<Response> {
  const send = async (withToken: string | null) => {
    const headers = new Headers(init.headers)
    headers.set('apikey', publishableKey)
    if (withToken) headers.set('Authorization', `Bearer ${withToken}`)
    try {
      const early = takeEarlyResponse(path, init.body, withToken)
      const response = await early?.catch(() => null)
      init.signal?.throwIfAborted()
      return response ?? (await fetch(path, { ...init, headers }))
    } catch {
      init.signal?.throwIfAborted()
      throw networkError()
    }
  }
  const response = await send(token)
  if (response.status !== 401 || !token) return response
  const { repeatWithNewToken } = await loadBackend()
  return repeatWithNewToken(response, token, send)
}
