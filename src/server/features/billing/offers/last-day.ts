import { dayMs } from '#shared/domain/durations.ts'
import { instantOf, localTimeOf } from '#shared/domain/zoned-time.ts'

/** The first instant after a day, "2026-11-30", in a zone. */
export function endOfDay(day: string, timeZone: string): Date {
  const next = new Date(Date.parse(`${day}T00:00:00Z`) + dayMs).toISOString().slice(0, 10)
  return new Date(instantOf(`${next}T00:00`, timeZone))
}

/** The last day before an instant, in a zone. */
export const lastDayOf = (end: Date, timeZone: string): string =>
  localTimeOf(new Date(end.getTime() - 1).toISOString(), timeZone).slice(0, 10)
