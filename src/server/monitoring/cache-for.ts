type Entry<T> = { startedAt: number; result: Promise<T>; isSettled: boolean }

/**
 * Shares the result of `read` among callers for `ttlMs`, so that two monitors cost one query. A failure isn't kept.
 * `isStaleOk` answers with an older result while a new one is read, for reads that may take seconds.
 */
export function cacheFor<T>(ttlMs: number, read: () => Promise<T>, { isStaleOk = false } = {}): () => Promise<T> {
  let current: Entry<T> | null = null
  let lastResult: Promise<T> | null = null
  return () => {
    if (!current || performance.now() - current.startedAt >= ttlMs) {
      const entry: Entry<T> = { startedAt: performance.now(), result: read(), isSettled: false }
      current = entry
      entry.result.then(
        () => {
          entry.isSettled = true
          lastResult = entry.result
        },
        () => {
          if (current === entry) current = null
        },
      )
    }
    return isStaleOk && lastResult && !current.isSettled ? lastResult : current.result
  }
}
