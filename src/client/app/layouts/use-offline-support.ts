import { useEffect } from 'react'
import { sendWaitingChanges } from '#client/lib/outbox.ts'

const idleTimeoutMs = 10_000

/** Starts what isn't part of the first load, once the page is idle: sending changes that were made offline. */
export function useOfflineSupport(isEntitled: boolean) {
  useEffect(() => {
    if (!isEntitled) return
    return whenIdle(() => void sendWaitingChanges())
  }, [isEntitled])
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
