import { useSyncExternalStore } from 'react'

let checkedAt: number | null = null
const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function setServedFromDevice(next: number | null) {
  checkedAt = next
  for (const listener of listeners) listener()
}

/** When the server was last asked for what the page shows from this device; null if everything is from the server. */
export const useServedFromDevice = () =>
  useSyncExternalStore(
    subscribe,
    () => checkedAt,
    () => null,
  )

export const isServedFromDevice = () => checkedAt !== null
