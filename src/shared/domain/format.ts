const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

/**
 * "2025-03-03" or an instant, as "Mar 3, 2025". Calendar days are read as UTC so that nobody sees the day before. Done by
 * hand: the landing page would wait longer for the first `Intl` object on a phone than for all the rest of its start.
 */
export function formatDay(day: string | Date): string {
  const date = new Date(day)
  return `${months[date.getUTCMonth()]} ${date.getUTCDate()}, ${date.getUTCFullYear()}`
}

/** "Sales", "Sales and Staff", "Sales, Staff, and Stock"; by hand for the same reason. */
export function formatList(words: readonly string[]): string {
  const last = words.at(-1)
  if (last === undefined) return ''
  const before = words.slice(0, -1)
  if (before.length === 0) return last
  return `${before.join(', ')}${before.length > 1 ? ',' : ''} and ${last}`
}
