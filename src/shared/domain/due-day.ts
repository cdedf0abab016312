import { dayMs } from './durations.ts'

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** Days from `today` to the other day, both "2026-11-22". Negative if it is over. */
export const daysUntil = (day: string, today: string): number =>
  Math.round((Date.parse(day) - Date.parse(today)) / dayMs)

/** The day that is so many days later. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)

/** Of days that are nearly a year away, the year is named. */
const yearOf = (date: Date, left: number) => (Math.abs(left) > 300 ? `, ${date.getUTCFullYear()}` : '')

/** "due today", "due Friday" within a week, "due Dec 31", "was due Nov 20". */
export function dueWords(dueOn: string, today: string): string {
  const left = daysUntil(dueOn, today)
  const date = new Date(dueOn)
  if (left === 0) return 'due today'
  if (left === 1) return 'due tomorrow'
  if (left > 1 && left < 7) return `due ${weekdays[date.getUTCDay()]}`
  return `${left < 0 ? 'was ' : ''}due ${months[date.getUTCMonth()]} ${date.getUTCDate()}${yearOf(date, left)}`
}

/** "Due today, Friday, Nov 27", "Due Friday, Dec 4" or "Was due Friday, Nov 20". */
export function dueSentence(dueOn: string, today: string): string {
  const left = daysUntil(dueOn, today)
  const date = new Date(dueOn)
  const words = left < 0 ? 'Was due ' : left === 0 ? 'Due today, ' : left === 1 ? 'Due tomorrow, ' : 'Due '
  return `${words}${weekdays[date.getUTCDay()]}, ${months[date.getUTCMonth()]} ${date.getUTCDate()}${yearOf(date, left)}`
}
