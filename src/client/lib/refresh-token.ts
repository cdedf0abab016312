type SessionResult = { data: { session: { access_token: string } | null }; error?: unknown }
type TokenHolder = { getSession: () => Promise<SessionResult>; refreshSession: () => Promise<SessionResult> }

/** `ended`: the server no longer knows the session. `unknown`: the server could not be reached. */
export type TokenRefresh = { token: string } | 'ended' | 'unknown'

const isRejected = (error: unknown) => {
  const { status } = (error ?? {}) as { status?: unknown }
  return typeof status === 'number' && status >= 400 && status < 500 && status !== 429
}

/**
 * Returns a function that exchanges a rejected access token for a new one. Calls rejected at the same time share one
 * refresh.
 */
export function createTokenRefresher(auth: TokenHolder) {
  let pending: Promise<TokenRefresh> | null = null

  const refresh = async (rejectedToken: string): Promise<TokenRefresh> => {
    // Another call or tab may have refreshed it already.
    const newer = await newerThan(rejectedToken)
    if (newer) return newer
    const { data, error } = await auth.refreshSession()
    if (data.session) return { token: data.session.access_token }
    return (await newerThan(rejectedToken)) ?? (isRejected(error) ? 'ended' : 'unknown')
  }
  const newerThan = async (rejectedToken: string): Promise<TokenRefresh | null> => {
    const { session } = (await auth.getSession()).data
    if (!session) return 'ended'
    return session.access_token === rejectedToken ? null : { token: session.access_token }
  }

  return (rejectedToken: string): Promise<TokenRefresh> => {
    pending ??= refresh(rejectedToken).finally(() => {
      pending = null
    })
    return pending
  }
}

/**
 * Counts a session's expiry from now on the device's clock instead of the server's. On a device whose clock is an hour fast,
 * each use of the session would refresh it otherwise.
 */
export async function expiringByDeviceClock(response: Response): Promise<Response> {
  const session: unknown = response.ok
    ? await response
        .clone()
        .json()
        .catch(() => null)
    : null
  const seconds = (session as { expires_in?: unknown } | null)?.expires_in
  if (typeof seconds !== 'number') return response
  const expires_at = Math.round(Date.now() / 1000) + seconds
  return new Response(JSON.stringify({ ...(session as object), expires_at }), response)
}
