type Answer = { data: { session: { access_token: string } | null }; error?: unknown }
type TokenHolder = { getSession: () => Promise<Answer>; refreshSession: () => Promise<Answer> }

/** `over`: the server does not know the session any more. `unknown`: it could not be asked. */
export type Renewal = { token: string } | 'over' | 'unknown'

const isRefusal = (error: unknown) => {
  const { status } = (error ?? {}) as { status?: unknown }
  return typeof status === 'number' && status >= 400 && status < 500 && status !== 429
}

/**
 * What to send in place of an access token that was refused: a session ended on another device, or keys were changed.
 * Calls that are refused together share one renewal.
 */
export function createTokenRefresher(auth: TokenHolder) {
  let pending: Promise<Renewal> | null = null

  const renew = async (refused: string): Promise<Renewal> => {
    // Another call, or another tab, may have been quicker.
    const known = await newerThan(refused)
    if (known) return known
    const { data, error } = await auth.refreshSession()
    if (data.session) return { token: data.session.access_token }
    return (await newerThan(refused)) ?? (isRefusal(error) ? 'over' : 'unknown')
  }
  const newerThan = async (refused: string): Promise<Renewal | null> => {
    const { session } = (await auth.getSession()).data
    if (!session) return 'over'
    return session.access_token === refused ? null : { token: session.access_token }
  }

  return (refused: string): Promise<Renewal> => {
    pending ??= renew(refused).finally(() => {
      pending = null
    })
    return pending
  }
}
