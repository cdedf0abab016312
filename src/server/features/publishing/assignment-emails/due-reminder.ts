import { addDays } from '#shared/domain/due-day.ts'
import { instantOf, localTimeOf } from '#shared/domain/zoned-time.ts'

export type ReminderKind = 'soon' | 'due'

/** Hour at which a reminder is sent, in the reader's time zone. */
const reminderTime = 'T08:00'

/**
 * The reminder that is due now: two days before the due date, or on its day. None for a moment at which the reader didn't
 * know of the assignment yet, since its email named the date.
 */
export function dueReminder(
  { dueOn, knownSince }: { dueOn: string; knownSince: Date },
  timeZone: string,
  now: Date,
): ReminderKind | null {
  const at = (day: string, time: string) => Date.parse(instantOf(`${day}${time}`, timeZone))
  const [soon, due, end] = [
    at(addDays(dueOn, -2), reminderTime),
    at(dueOn, reminderTime),
    at(addDays(dueOn, 1), 'T00:00'),
  ]
  const [known, time] = [knownSince.getTime(), now.getTime()]
  if (time < soon || time >= end) return null
  if (time >= due) return known < due ? 'due' : null
  return known < soon ? 'soon' : null
}

/**
 * The Monday of the weekly summary that is due now, with its moment: from Monday morning until midnight. Null on other days.
 */
export function dueSummary(timeZone: string, now: Date): { weekOf: string; at: Date } | null {
  const today = localTimeOf(now.toISOString(), timeZone).slice(0, 10)
  const at = new Date(instantOf(`${today}${reminderTime}`, timeZone))
  const isMonday = new Date(today).getUTCDay() === 1
  return isMonday && now >= at ? { weekOf: today, at } : null
}
