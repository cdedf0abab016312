import { createStoredChoice } from '#client/lib/stored-choice.ts'
import type { BusinessLocation } from '#shared/contracts/business-profile.ts'

const choice = createStoredChoice('front-counter:location')

export const chooseLocation = choice.choose

/** The location that prompts are filled in for on this device; null for the profile alone. */
export function useChosenLocation(locations: readonly BusinessLocation[]): BusinessLocation | null {
  const id = choice.useChoice()
  return locations.find((location) => location.id === id) ?? null
}
