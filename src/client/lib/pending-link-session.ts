import { readClaims } from './pending-mfa.ts'
import { type LinkTokens, sessionStorageKey } from './session-storage.ts'

/** A session that a link brought along to somebody who is signed in as another: it waits for a word of theirs. */
export type PendingLinkSession = {
  tokens: LinkTokens
  here: string
  there: string
  goOn: { to: string; state: object | null }
}

/** Who is signed in here, and whom the link would sign in, when they are two; null when there is nothing to ask. */
export function findAccountConflict(
  tokens: LinkTokens,
  stored: string | null,
): Pick<PendingLinkSession, 'here' | 'there'> | null {
  const user = storedUser(stored)
  const { sub, email } = readClaims(tokens.access_token)
  if (!user || sub === user.id) return null
  return { here: user.email || 'somebody else', there: typeof email === 'string' && email ? email : 'somebody else' }
}

function storedUser(stored: string | null): { id: string; email?: string } | null {
  try {
    const { user } = JSON.parse(stored ?? 'null') as { user?: { id?: unknown; email?: string } }
    return typeof user?.id === 'string' ? { id: user.id, email: user.email } : null
  } catch {
    return null
  }
}

export const readStoredSession = () => window.localStorage.getItem(sessionStorageKey(window.location.hostname))

// In memory alone: neither the history nor the storage is a place for tokens. A reload gives them up.
let held: PendingLinkSession | null = null
export const setPendingLinkSession = (link: PendingLinkSession) => {
  held = link
}
export const getPendingLinkSession = () => held
export const clearPendingLinkSession = () => {
  held = null
}
