import { createStoredChoice } from '#client/lib/stored-choice.ts'

const hiding = createStoredChoice('front-counter:hide-forbidden')

/** Returns true if this device hides what the reader's rules forbid; off until the reader turns it on. */
export function useHideForbidden(): [boolean, (hide: boolean) => void] {
  return [hiding.useChoice() === 'on', (hide) => hiding.choose(hide ? 'on' : null)]
}
