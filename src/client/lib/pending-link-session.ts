import { readClaims } from './pending-mfa.ts'
import type { LinkTokens } from './stored-session.ts'

/** The session of an emailed link that waits for a choice, because another account is signed in. */
export type PendingLinkSession = {
  tokens: LinkTokens
  currentEmail: string
  linkEmail: string
  destination: { to: string; state: object | null }
}

/** Both accounts if the link would replace the signed-in account with another one; otherwise null. */
export function findAccountConflict(
  tokens: LinkTokens,
  stored: string | null,
): Pick<PendingLinkSession, 'currentEmail' | 'linkEmail'> | null {
  const user = storedUser(stored)
  const { sub, email } = readClaims(tokens.access_token)
  if (!user || sub === user.id) return null
  return {
    currentEmail: user.email || unknownAccount,
    linkEmail: typeof email === 'string' && email ? email : unknownAccount,
  }
}

const unknownAccount = 'another account'

function storedUser(stored: string | null): { id: string; email?: string } | null {
  try {
    const { user } = JSON.parse(stored ?? 'null') as { user?: { id?: unknown; email?: string } }
    return typeof user?.id === 'string' ? { id: user.id, email: user.email } : null
  } catch {
    return null
  }
}

// In memory only, so that the tokens reach neither the history nor the storage. A reload discards them.
let pending: PendingLinkSession | null = null
export const setPendingLinkSession = (link: PendingLinkSession) => {
  pending = link
}
export const getPendingLinkSession = () => pending
export const clearPendingLinkSession = () => {
  pending = null
}
