type Tokens = { access_token: string; refresh_token: string }

/*
 * Which token the server has refused for good. Apart from the session's store, which loads the client that hears of it.
 * The token and not a flag: the client may speak of a session once more after it was refused, and that is no new one.
 */
let refused: string | null = null
let latest: Tokens | null = null
let neighbours: BroadcastChannel | null = null

/**
 * Tabs tell each other: whoever did not find out itself hears from the client only that the session is gone. The word may
 * come after that, so `onEnded` is called when it is about the session that this tab has or had.
 */
export function listenToOtherTabs(onEnded: () => void): BroadcastChannel {
  neighbours = new BroadcastChannel('session-ended')
  neighbours.onmessage = ({ data }: MessageEvent<string | null>) => {
    refused = data
    if (data !== null && latest && isOf(latest, data)) onEnded()
  }
  return neighbours
}

const isOf = (session: Tokens, token: string) => token === session.access_token || token === session.refresh_token

/** Should the session of this access or refresh token go now, then because it has ended, and not because somebody here signed out. */
export function markSessionEnded(token: string) {
  refused = token
  neighbours?.postMessage(token)
}

export function clearSessionEnded() {
  refused = null
  neighbours?.postMessage(null)
}

/** Another session than the one that ended has nothing to do with it. */
export function trackSession(session: Tokens) {
  latest = session
  if (refused !== null && !isOf(session, refused)) refused = null
}

export const hasCurrentSessionEnded = () => refused !== null
