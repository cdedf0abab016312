/** Tolerates tabs that refresh at the same time. */
export const reuseIntervalMs = 10_000

export type PresentedToken = { hash: string; used: boolean; usedAt: Date }

/**
 * Decides what a refresh token yields. Clients don't lock across tabs, so the direct parent of the active token is always
 * accepted, and other ancestors within the reuse interval. Any other reuse is treated as theft.
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
