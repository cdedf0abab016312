/** How many of the newest drops are readable offline. */
export const offlineDropCount = 12

/** Without a successful check for this long, a device removes what it keeps. */
export const maxOfflineMs = 7 * 24 * 60 * 60 * 1000

/** Names a call with its input, whatever the order of its properties. Null is the same as no value. */
export function answerKey(name: string, input: unknown): string {
  const members = Object.entries((input ?? {}) as Record<string, unknown>).filter(([, value]) => value != null)
  return `${name} ${JSON.stringify(members.sort(([a], [b]) => (a < b ? -1 : 1)))}`
}

/**
 * True if a device may no longer show what it keeps. `latestSeen` is the highest time that its clock has shown, so that
 * moving the clock back gains nothing.
 */
export const isLibraryExpired = (checkedAt: number, latestSeen: number, now: number): boolean =>
  Math.max(latestSeen, now) - checkedAt > maxOfflineMs
