type Tokens = { access_token: string; refresh_token: string }

/*
 * The token of the session that the server ended. A token and not a flag, because auth-js may report that session once
 * more. Separate from session.ts, which loads the client that imports this module.
 */
let endedToken: string | null = null
let current: Tokens | null = null
let otherTabs: BroadcastChannel | null = null

/**
 * Shares ended sessions between tabs, because in the other tabs auth-js reports only that the session is gone. The
 * message may arrive after that, so `onEnded` is called if it concerns the current or last session of this tab.
 */
export function listenToOtherTabs(onEnded: () => void): BroadcastChannel {
  otherTabs = new BroadcastChannel('session-ended')
  otherTabs.onmessage = ({ data }: MessageEvent<string | null>) => {
    endedToken = data
    if (data !== null && current && isOf(current, data)) onEnded()
  }
  return otherTabs
}

const isOf = (session: Tokens, token: string) => token === session.access_token || token === session.refresh_token

/** Records that the server ended the session of this access or refresh token, as opposed to a sign-out. */
export function markSessionEnded(token: string) {
  endedToken = token
  otherTabs?.postMessage(token)
}

export function clearSessionEnded() {
  endedToken = null
  otherTabs?.postMessage(null)
}

/** Call for each session that auth-js reports. A different session clears the mark. */
export function trackSession(session: Tokens) {
  current = session
  if (endedToken !== null && !isOf(session, endedToken)) endedToken = null
}

export const hasCurrentSessionEnded = () => endedToken !== null
