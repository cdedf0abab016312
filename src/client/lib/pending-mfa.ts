import type { Session } from '@supabase/auth-js'

/** Says whether a session still has to pass MFA. `maybe`: the token doesn't show it, so ask the server. */
export type PendingMfa = 'none' | 'maybe' | 'required'

type Claims = { aal?: unknown; amr?: unknown; sub?: unknown; email?: unknown }

/** Claims of an access token, unverified. Use them to choose a page, not to grant access. */
export function readClaims(accessToken: string): Claims {
  try {
    const payload = (accessToken.split('.')[1] ?? '').replace(/-/g, '+').replace(/_/g, '/')
    return JSON.parse(atob(payload)) as Claims
  } catch {
    return {}
  }
}

const methodsOf = ({ amr }: Claims) =>
  Array.isArray(amr) ? amr.map((entry: { method?: unknown }) => entry?.method) : []

/** A passkey counts as two factors. */
export function pendingMfaOf({ access_token, user }: Pick<Session, 'access_token' | 'user'>): PendingMfa {
  if (!user.factors?.some((factor) => factor.status === 'verified')) return 'none'
  const claims = readClaims(access_token)
  return claims.aal === 'aal2' || methodsOf(claims).includes('passkey') ? 'none' : 'maybe'
}
