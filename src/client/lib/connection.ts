import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

const answerWithinMs = 5_000
const firstRetryMs = 1_000
const maxRetryMs = 15_000

/** False while the browser knows that it has no network. True says little: a phone with one bar is "online". */
export const useOnline = () =>
  useSyncExternalStore(onlineManager.subscribe, () => onlineManager.isOnline(), alwaysOnline)
const alwaysOnline = () => true

/** Whether our server answers right now. */
export const isServerReachable = () =>
  fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(answerWithinMs) }).then(
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

/** True while a page that the reader asked for waits for the server to answer. */
export const useWaitingForServer = () =>
  useSyncExternalStore(
    subscribe,
    () => waiting > 0,
    () => false,
  )

/** Resolves once the server answers: asks again when the browser is back online, and at growing intervals. */
export async function waitForServer(): Promise<void> {
  changeWaiting(1)
  try {
    for (let delayMs = firstRetryMs; !(await isServerReachable()); delayMs = Math.min(2 * delayMs, maxRetryMs)) {
      await onlineOrAfter(delayMs)
    }
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
