import { minuteMs } from '#shared/domain/durations.ts'

/** Tolerates tabs that refresh at the same time. */
export const reuseIntervalMs = 10_000
/** How far ahead another node's clock may be. A use further ahead was before the clock was set back. */
const maxAheadMs = 2 * minuteMs

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
  const agoMs = now.getTime() - presented.usedAt.getTime()
  return agoMs < reuseIntervalMs && agoMs > -maxAheadMs ? 'return_active' : 'revoke_family'
}
