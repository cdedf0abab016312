/** Explains for one focus area which drops moved to the top. @param area its label */
export const dropLabel = (area: string, dropCount: number): string => {
  if (dropCount === 0) return `No drops about ${area} yet; new ones will move to the top`
  return dropCount === 1
    ? `The drop about ${area} is at the top because you chose this topic`
    : `Drops about ${area} are at the top because you chose this topic`
}

export const promptCategoryLabel = (area: string, hasCategory: boolean): string =>
  hasCategory ? `${area} is at the top because you chose this topic` : `No prompt pack for ${area} yet`
