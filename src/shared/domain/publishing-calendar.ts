import { dayMs } from './durations.ts'
import { instantOf, localTimeOf } from './zoned-time.ts'

/*
 * Days are local dates of the publication's time zone, such as "2026-11-24". Weeks begin on Sunday.
 */

const timeOf = (day: string) => Date.parse(`${day}T00:00:00Z`)

export const addDays = (day: string, days: number): string =>
  new Date(timeOf(day) + days * dayMs).toISOString().slice(0, 10)

const daysBetween = (from: string, to: string): number => (timeOf(to) - timeOf(from)) / dayMs

/** 0 for Sunday. */
const weekdayOf = (day: string): number => new Date(timeOf(day)).getUTCDay()

export const weekOf = (day: string): string => addDays(day, -weekdayOf(day))

/** The local day of an instant. */
export const dayOf = (instant: string, timeZone: string): string => localTimeOf(instant, timeZone).slice(0, 10)

/** The weeks that a month touches, as seven days each. `month` is "2026-11". */
export function weeksOfMonth(month: string): string[][] {
  const first = `${month}-01`
  const weeks: string[][] = []
  for (let start = weekOf(first); start.slice(0, 7) <= month; start = addDays(start, 7)) {
    weeks.push(Array.from({ length: 7 }, (_, index) => addDays(start, index)))
  }
  return weeks
}

/** The month `by` months after a month: "2027-01" is one after "2026-12". */
export function addMonths(month: string, by: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7)
}

/** "2026-11" as "November 2026". */
export const formatMonth = (month: string): string =>
  new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(`${month}-01`))

/** The same time of day on another day. A time that daylight saving skips becomes the one an hour later. */
export const moveToDay = (instant: string, day: string, timeZone: string): string =>
  instantOf(`${day}T${localTimeOf(instant, timeZone).slice(11)}`, timeZone)

/** Fewer drops say nothing about a rhythm. */
const minDrops = 3
const rememberedDrops = 8

/** The weekday of a weekly rhythm, from the days of published drops; null if they aren't weekly. */
export function findWeeklyRhythm(published: readonly string[]): { weekday: number } | null {
  const recent = [...new Set(published)].toSorted().slice(-rememberedDrops)
  if (recent.length < minDrops) return null
  const gaps = recent
    .slice(1)
    .map((day, index) => daysBetween(recent[index] ?? day, day))
    .toSorted((a, b) => a - b)
  const median = gaps[Math.floor(gaps.length / 2)] ?? 0
  if (median < 6 || median > 8) return null
  const counts = new Map<number, number>()
  for (const day of recent) counts.set(weekdayOf(day), (counts.get(weekdayOf(day)) ?? 0) + 1)
  const most = Math.max(...counts.values())
  // If several weekdays are equally common, take the one used last.
  const last = recent.findLast((day) => counts.get(weekdayOf(day)) === most) ?? ''
  return { weekday: weekdayOf(last) }
}

/** The rhythm's first day from today on, in a week without a drop. */
export function nextFreeDay(planned: readonly string[], rhythm: { weekday: number }, today: string): string {
  const taken = new Set(planned.map(weekOf))
  let week = weekOf(today)
  while (taken.has(week) || addDays(week, rhythm.weekday) < today) week = addDays(week, 7)
  return addDays(week, rhythm.weekday)
}

/** Weeks after the last planned drop in which a gap is worth a mark. */
const weeksAhead = 4

/**
 * Those of the given weeks, by their first days, that have no drop: since the first drop, and up to a few weeks ahead or
 * the last planned one.
 */
export function findGaps(
  weeks: readonly string[],
  planned: readonly string[],
  rhythm: { weekday: number } | null,
  today: string,
): string[] {
  const taken = new Set(planned.map(weekOf))
  const [first] = [...taken].toSorted()
  if (!rhythm || first === undefined) return []
  const last = [...taken, addDays(weekOf(today), weeksAhead * 7)].toSorted().at(-1) ?? ''
  return weeks.filter((week) => week >= first && week <= last && !taken.has(week))
}

/**
 * The date of a drop that is published on `day`. A date before today was chosen on purpose, as for a post written
 * elsewhere, and stays.
 */
export const dateWhenPublished = (date: string, day: string, today: string): string =>
  date !== '' && date < today ? date : day
