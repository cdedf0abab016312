import { dayMs } from './durations.ts'
import { instantOf, localTimeOf } from './zoned-time.ts'

/*
 * When a drop reaches a reader: at the publication's hour, or within 24 hours of it at the reader's own.
 */

/** `publication`: with everyone else. `usual`: at the hour at which the reader usually reads. A number: at that hour. */
export type DropTime = 'publication' | 'usual' | number

export const hoursOfDay: readonly number[] = Array.from({ length: 24 }, (_, hour) => hour)

/** Null for a value that isn't one. */
export function parseDropTime(stored: string): DropTime | null {
  if (stored === 'publication' || stored === 'usual') return stored
  return hoursOfDay.find((hour) => String(hour) === stored) ?? null
}

/** "7 AM" */
export const formatHour = (hour: number): string => `${hour % 12 || 12} ${hour < 12 ? 'AM' : 'PM'}`

/**
 * The start of the reader's hour after the publication time, at most 24 hours later. During that hour it is the publication
 * time itself. An hour that daylight saving skips means the time that clocks show instead; of one that occurs twice, the first.
 * @throws RangeError for an unknown time zone
 */
export function readerHourAfter(publishedAt: Date, timeZone: string, hour: number): Date {
  const from = publishedAt.getTime()
  const local = localTimeOf(publishedAt.toISOString(), timeZone)
  if (Number(local.slice(11, 13)) === hour) return publishedAt
  const today = Date.parse(`${local.slice(0, 10)}T00:00Z`)
  // The day after tomorrow for the zone that once skipped a day.
  const starts = [0, 1, 2].map((days) => {
    const day = new Date(today + days * dayMs).toISOString().slice(0, 10)
    return Date.parse(instantOf(`${day}T${String(hour).padStart(2, '0')}:00`, timeZone))
  })
  const next = Math.min(...starts.filter((at) => at > from))
  // A day can have 25 hours.
  return new Date(Math.min(next, from + dayMs))
}

/** Hours in which a reader was active, before anything is concluded from them. */
export const minActiveHours = 5
/** At least half of the hours lie this close to the usual one, or there is no usual one. */
const nearHours = 3

/**
 * The hour at which someone usually reads: the median, on a clock's circle, of the hours of the day in which they were
 * active. Null if these are too few or too scattered.
 */
export function usualHour(activeHours: readonly number[]): number | null {
  if (activeHours.length < minActiveHours) return null
  const sumOfDistances = (hour: number) => activeHours.reduce((sum, other) => sum + hoursBetween(hour, other), 0)
  const median = [...new Set(activeHours)]
    .toSorted((a, b) => a - b)
    .reduce((best, hour) => (sumOfDistances(hour) < sumOfDistances(best) ? hour : best))
  const near = activeHours.filter((hour) => hoursBetween(hour, median) <= nearHours)
  return near.length * 2 >= activeHours.length ? median : null
}

/** The shorter way around the clock: one hour from 23 to 0. */
function hoursBetween(a: number, b: number): number {
  const distance = Math.abs(a - b)
  return Math.min(distance, 24 - distance)
}
