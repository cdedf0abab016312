import { type Vertical, verticals, verticalsOf } from '#shared/domain/verticals.ts'
import { createStoredChoice } from './stored-choice.ts'

const trade = createStoredChoice('front-counter:trade')

/** Unknown values count as no choice. */
export const parseVertical = (stored: string | null): Vertical | null =>
  verticals.find((vertical) => vertical === stored) ?? null

/** The last choice on this device, or the likeliest trade for the franchise type; null if neither says. */
const knownVertical = (chosen: Vertical | null, franchiseType: string | null): Vertical | null =>
  chosen ?? verticalsOf(franchiseType)[0] ?? null

/** The known trade, or the first in the list. */
export const pickVertical = (chosen: Vertical | null, franchiseType: string | null): Vertical =>
  knownVertical(chosen, franchiseType) ?? verticals[0]

/** The reader's trade, or null if it is unknown. */
export function useKnownVertical(franchiseType: string | null): Vertical | null {
  return knownVertical(parseVertical(trade.useChoice()), franchiseType)
}

/** The trade whose examples are shown, and a function to choose another one. */
export function useVertical(franchiseType: string | null): [Vertical, (vertical: Vertical) => void] {
  return [pickVertical(parseVertical(trade.useChoice()), franchiseType), trade.choose]
}
