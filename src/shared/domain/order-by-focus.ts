import { stableOrder } from './rank-sections.ts'

/**
 * Items that touch one of the focus areas come first; inside each group the given order stays (stable), every item
 * exactly once. The list of drops and, through their titles, prompt categories are ordered by this rule; the sections of
 * a drop by more than the focus areas (rank-sections.ts).
 */
function orderByFocus<T>(items: readonly T[], focusAreas: readonly string[], areasOf: (item: T) => readonly string[]) {
  const wanted = new Set(focusAreas)
  const order = stableOrder(items.map((item) => [areasOf(item).some((area) => wanted.has(area)) ? 0 : 1]))
  return order.flatMap((index) => items.slice(index, index + 1))
}

export const orderIssues = <T extends { tags: readonly string[] }>(
  issues: readonly T[],
  focusAreas: readonly string[],
) => orderByFocus(issues, focusAreas, (issue) => issue.tags)

/** `priorityKeys` are the category keys that the personalization names. */
export const orderPromptCategories = <T extends { key: string }>(
  categories: readonly T[],
  priorityKeys: readonly string[],
) => orderByFocus(categories, priorityKeys, (category) => [category.key])
