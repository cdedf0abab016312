/** "4:05" or "1:04:05". */
export const formatClock = (seconds: number): string =>
  new Date(seconds * 1_000)
    .toISOString()
    .slice(11, 19)
    .replace(/^0(?:0:0?)?/, '')

/** What `parseClock` takes, for a field. */
export const clockPattern = '(?:\\d{1,2}:)?\\d{1,3}:[0-5]\\d'

/** Seconds of "4:05", "1:04:05" or "90:00"; null for anything else. */
export function parseClock(text: string): number | null {
  if (!new RegExp(`^${clockPattern}$`).test(text.trim())) return null
  return text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
}
