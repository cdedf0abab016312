/** Long enough for two tabs that woke up together, too short to profit from a copied token. */
export const reuseIntervalMs = 10_000

export type PresentedToken = { hash: string; used: boolean; usedAt: Date }

/**
 * What a refresh token is worth that may have been used before (protocol, section 7). Clients take no lock across tabs,
 * so honest reuse exists: by a tab that never heard of the successor (a direct parent, at any time), or that lost a race
 * (any ancestor, for a moment). Everything else means that two parties hold the family, and one of them stole it.
 */
export function decideReuse(
  presented: PresentedToken,
  active: { parentHash: string | null } | null,
  now: Date,
): 'rotate' | 'return_active' | 'revoke_family' {
  if (!presented.used) return 'rotate'
  if (!active) return 'revoke_family'
  if (active.parentHash === presented.hash) return 'return_active'
  return now.getTime() - presented.usedAt.getTime() < reuseIntervalMs ? 'return_active' : 'revoke_family'
}
