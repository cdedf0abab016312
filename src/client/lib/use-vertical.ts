import { useSyncExternalStore } from 'react'
import { type Vertical, verticals, verticalsOf } from '#shared/domain/verticals.ts'

const storageKey = 'front-counter:trade'
const changed = 'front-counter:trade'

/** Unknown values count as no choice. */
export const parseVertical = (stored: string | null): Vertical | null =>
  verticals.find((vertical) => vertical === stored) ?? null

/** The last choice on this device, or the likeliest trade for the franchise type; null if neither says. */
const knownVertical = (chosen: Vertical | null, franchiseType: string | null): Vertical | null =>
  chosen ?? verticalsOf(franchiseType)[0] ?? null

/** The known trade, or the first in the list. */
export const pickVertical = (chosen: Vertical | null, franchiseType: string | null): Vertical =>
  knownVertical(chosen, franchiseType) ?? verticals[0]

/** Holds the choice if storage is blocked. */
let choice: string | null = null

function readChoice(): string | null {
  try {
    return localStorage.getItem(storageKey) ?? choice
  } catch {
    return choice
  }
}

function choose(vertical: Vertical) {
  choice = vertical
  try {
    localStorage.setItem(storageKey, vertical)
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
  window.dispatchEvent(new Event(changed))
}

function subscribe(onChange: () => void) {
  window.addEventListener('storage', onChange)
  window.addEventListener(changed, onChange)
  return () => {
    window.removeEventListener('storage', onChange)
    window.removeEventListener(changed, onChange)
  }
}

/** The reader's trade, or null if it is unknown. */
export function useKnownVertical(franchiseType: string | null): Vertical | null {
  const stored = useSyncExternalStore(subscribe, readChoice)
  return knownVertical(parseVertical(stored), franchiseType)
}

/** The trade whose examples are shown, and a function to choose another one. */
export function useVertical(franchiseType: string | null): [Vertical, (vertical: Vertical) => void] {
  const stored = useSyncExternalStore(subscribe, readChoice)
  return [pickVertical(parseVertical(stored), franchiseType), choose]
}
