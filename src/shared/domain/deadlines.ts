import { addMonths } from './add-months.ts'
import { addDays, daysUntil } from './due-day.ts'

export const maxDeadlines = 300
export const maxDeadlineTitle = 80
export const maxLeadDays = 730
/** Kind of a date that is none of the publication's kinds. */
export const otherKind = 'other'

/** A second reminder, for those whose first one comes much earlier. */
const secondReminderDays = 7

/** How many days before its date a reader is reminded, the earliest first. */
export const reminderDays = (leadDays: number): number[] =>
  leadDays >= 2 * secondReminderDays ? [leadDays, secondReminderDays] : [leadDays]

/** The day of the first reminder after a day; null if none is left. */
export const reminderAfter = (day: string, { dueOn, leadDays }: { dueOn: string; leadDays: number }): string | null =>
  reminderDays(leadDays)
    .map((days) => addDays(dueOn, -days))
    .find((remindOn) => remindOn > day) ?? null

/** The same day a year later; February 29 becomes the 28th. */
export const nextYear = (day: string): string => addMonths(new Date(day), 12).toISOString().slice(0, 10)

/** "today", "in 12 days", "9 days ago". */
export function daysLeftWords(dueOn: string, today: string): string {
  const left = daysUntil(dueOn, today)
  const days = `${Math.abs(left)} ${Math.abs(left) === 1 ? 'day' : 'days'}`
  return left === 0 ? 'today' : left > 0 ? `in ${days}` : `${days} ago`
}
