import { useEffect } from 'react'
import { importInBackground } from '#client/lib/background-import.ts'

const idleTimeoutMs = 10_000

/** The browser is idle, too, while it waits for the page's content on a slow line. */
const firstLoadMs = 2_000

const reportAfterMs = 1_000

/** Starts what entitled readers need offline, once the page is idle: nothing of it belongs to the first load. */
export function useOfflineSupport(isEntitled: boolean) {
  useEffect(() => {
    if (!isEntitled) return
    let cancel = () => {}
    const timer = setTimeout(() => {
      cancel = whenIdle(start)
    }, firstLoadMs)
    return () => {
      clearTimeout(timer)
      cancel()
    }
  }, [isEntitled])
}

function start() {
  importInBackground(() => import('#client/lib/offline/start-offline-support.ts'))
    .then(({ startOfflineSupport }) => startOfflineSupport())
    // Later, because a page that is being left aborts its requests, which is no error.
    .catch((error: unknown) =>
      setTimeout(() => console.error('Reading offline could not be prepared', error), reportAfterMs),
    )
}

/** Returns a function that cancels. Safari has no idle callbacks. */
function whenIdle(run: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(run, idleTimeoutMs / 2)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(run, { timeout: idleTimeoutMs })
  return () => cancelIdleCallback(handle)
}
