/**
 * Items that touch one of the focus areas come first; inside each group the given order stays (stable), every item
 * exactly once. Drops, the sections of a drop and, through their titles, prompt categories are ordered by this rule.
 */
function orderByFocus<T>(items: readonly T[], focusAreas: readonly string[], areasOf: (item: T) => readonly string[]) {
  const wanted = new Set(focusAreas)
  const matches = (item: T) => areasOf(item).some((area) => wanted.has(area))
  return [...items.filter(matches), ...items.filter((item) => !matches(item))]
}

export const orderIssues = <T extends { tags: readonly string[] }>(
  issues: readonly T[],
  focusAreas: readonly string[],
) => orderByFocus(issues, focusAreas, (issue) => issue.tags)

export const orderSections = <T extends { focusAreas: readonly string[] }>(
  sections: readonly T[],
  focusAreas: readonly string[],
) => orderByFocus(sections, focusAreas, (section) => section.focusAreas)

/** `priorityKeys` are the category keys that the personalization names. */
export const orderPromptCategories = <T extends { key: string }>(
  categories: readonly T[],
  priorityKeys: readonly string[],
) => orderByFocus(categories, priorityKeys, (category) => [category.key])
