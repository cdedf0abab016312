const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

/**
 * Formats "2025-03-03" or an instant as "Mar 3, 2025", in UTC. Doesn't use `Intl`, because creating the first `Intl` object
 * is slow on phones and would delay the landing page.
 */
export function formatDay(day: string | Date): string {
  const date = new Date(day)
  return `${months[date.getUTCMonth()]} ${date.getUTCDate()}, ${date.getUTCFullYear()}`
}

/** Formats "Sales", "Sales and Staff" or "Sales, Staff, and Stock", without `Intl` for the same reason. */
export function formatList(words: readonly string[]): string {
  const last = words.at(-1)
  if (last === undefined) return ''
  const before = words.slice(0, -1)
  if (before.length === 0) return last
  return `${before.join(', ')}${before.length > 1 ? ',' : ''} and ${last}`
}
