import { stableOrder } from './rank-sections.ts'

/**
 * Moves items that match a wanted area to the front. Stable. Used for the list of drops, prompt categories and prompts;
 * sections are ordered by rank-sections.ts.
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

/** `priorityKeys` are the category keys from the personalization. */
export const orderPromptCategories = <T extends { key: string }>(
  categories: readonly T[],
  priorityKeys: readonly string[],
) => orderByFocus(categories, priorityKeys, (category) => [category.key])

/** Prompts with a worked example from this trade come first. */
export const orderPrompts = <T extends { example: { vertical: string } | null }>(
  prompts: readonly T[],
  vertical: string | null,
) => orderByFocus(prompts, vertical === null ? [] : [vertical], ({ example }) => (example ? [example.vertical] : []))
