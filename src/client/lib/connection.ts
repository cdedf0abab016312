import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

const timeoutMs = 5_000
const firstRetryMs = 1_000
const maxRetryMs = 15_000

// The manager only hears of changes, and a page may open offline. Node has no such property.
if (globalThis.navigator?.onLine === false) onlineManager.setOnline(false)

/** False while the browser reports no network. True doesn't mean that the server is reachable. */
export const useOnline = () =>
  useSyncExternalStore(onlineManager.subscribe, () => onlineManager.isOnline(), alwaysOnline)
const alwaysOnline = () => true

export const isServerReachable = () =>
  fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(timeoutMs) }).then(
    () => true,
    () => false,
  )

let waiting = 0
const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
function changeWaiting(by: 1 | -1) {
  waiting += by
  for (const listener of listeners) listener()
}

/** True while a navigation waits for the server. */
export const useWaitingForServer = () =>
  useSyncExternalStore(
    subscribe,
    () => waiting > 0,
    () => false,
  )

/** Resolves once the server responds. Retries with backoff, and when the browser goes online. */
export async function untilServerResponds(): Promise<void> {
  for (let delayMs = firstRetryMs; !(await isServerReachable()); delayMs = Math.min(2 * delayMs, maxRetryMs)) {
    await onlineOrAfter(delayMs)
  }
}

/** The same for a navigation. The page says that it is waiting. */
export async function waitForServer(): Promise<void> {
  changeWaiting(1)
  try {
    await untilServerResponds()
  } finally {
    changeWaiting(-1)
  }
}

const onlineOrAfter = (delayMs: number) =>
  new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer)
      window.removeEventListener('online', done)
      resolve()
    }
    const timer = setTimeout(done, delayMs)
    window.addEventListener('online', done)
  })
