import type { TransportError } from './transport.ts'

const maxBackoffMs = 60_000

/** Remembers the last server error and how long to pause: longer after each failure in a row, up to a minute. */
export function createSmtpBackoff(initialBackoffMs: number) {
  let last: TransportError | null = null
  let pausedUntil = 0
  return {
    error: (): TransportError | null => last,
    /** Time until the next attempt; not positive if one may be made now. */
    remainingMs: () => pausedUntil - performance.now(),
    record(response: string, isPermanent: boolean) {
      const now = performance.now()
      // Concurrent failures during one pause count as one.
      if (last && now < pausedUntil) return
      const failures = (last?.failures ?? 0) + 1
      last = { response, failures, isPermanent }
      pausedUntil = now + Math.min(maxBackoffMs, initialBackoffMs * 2 ** (failures - 1))
    },
    clear() {
      last = null
    },
  }
}
