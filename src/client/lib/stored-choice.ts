import { useSyncExternalStore } from 'react'

/** A choice that is remembered on this device, the same in all tabs. Null until something is chosen. */
export function createStoredChoice(storageKey: string) {
  /** Holds the choice if storage is blocked. */
  let choice: string | null = null

  function read(): string | null {
    try {
      return localStorage.getItem(storageKey) ?? choice
    } catch {
      return choice
    }
  }

  function subscribe(onChange: () => void) {
    window.addEventListener('storage', onChange)
    window.addEventListener(storageKey, onChange)
    return () => {
      window.removeEventListener('storage', onChange)
      window.removeEventListener(storageKey, onChange)
    }
  }

  return {
    choose(next: string | null) {
      choice = next
      try {
        if (next === null) localStorage.removeItem(storageKey)
        else localStorage.setItem(storageKey, next)
      } catch {
        // Without storage the choice lasts until the page is closed.
      }
      window.dispatchEvent(new Event(storageKey))
    },
    useChoice: () => useSyncExternalStore(subscribe, read),
  }
}
