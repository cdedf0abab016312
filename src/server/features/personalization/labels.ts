import { type FocusArea, focusAreas } from '#shared/domain/preferences.ts'

/** Chosen areas in the order in which the form offers them, whatever the order of the clicks. */
export const inOfferedOrder = (chosen: readonly FocusArea[]): FocusArea[] =>
  focusAreas.filter((area) => chosen.includes(area))

/** One line per focus area: what it brought forward among the drops, and honestly when it brought nothing. */
export const dropLabel = (area: FocusArea, dropCount: number): string => {
  if (dropCount === 0) return `No drop is about ${area} yet; the first one will stand at the top`
  return dropCount === 1
    ? `The drop about ${area} is up front because you chose it`
    : `Drops about ${area} are up front because you chose it`
}

export const promptCategoryLabel = (area: FocusArea, hasCategory: boolean): string =>
  hasCategory ? `${area} is up front because you chose it` : `There is no prompt pack for ${area} alone yet`
