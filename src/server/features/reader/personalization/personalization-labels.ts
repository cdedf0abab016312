import { type FocusArea, focusAreas } from '#shared/domain/preferences.ts'

/** Sorts the chosen areas as the form lists them. */
export const inFormOrder = (chosen: readonly FocusArea[]): FocusArea[] =>
  focusAreas.filter((area) => chosen.includes(area))

/** Explains for one focus area which drops moved to the top. */
export const dropLabel = (area: FocusArea, dropCount: number): string => {
  if (dropCount === 0) return `No drops about ${area} yet; new ones will move to the top`
  return dropCount === 1
    ? `The drop about ${area} is at the top because you chose this topic`
    : `Drops about ${area} are at the top because you chose this topic`
}

export const promptCategoryLabel = (area: FocusArea, hasCategory: boolean): string =>
  hasCategory ? `${area} is at the top because you chose this topic` : `No prompt pack for ${area} yet`
