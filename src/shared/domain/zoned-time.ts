/**
 * Converts local time in a zone, "2026-03-08T07:00" in "America/New_York", to an ISO instant. A time skipped by daylight
 * saving uses the offset before the change; a time that occurs twice means the first.
 * @throws RangeError for an unknown zone or time
 */
export function instantOf(local: string, timeZone: string): string {
  const shown = Date.parse(`${local}Z`)
  if (Number.isNaN(shown)) throw new RangeError(`${local} is not a time`)
  // Try the offsets on both sides of a daylight saving change.
  const offsets = [offsetAt(shown - day, timeZone), offsetAt(shown + day, timeZone)]
  const fitting = offsets
    .map((offset) => shown - offset)
    .filter((instant) => instant + offsetAt(instant, timeZone) === shown)
  return new Date(fitting.length > 0 ? Math.min(...fitting) : shown - (offsets[0] ?? 0)).toISOString()
}

/** Local time of an instant in a zone, "2026-03-08T07:00". */
export function localTimeOf(instant: string, timeZone: string): string {
  const at = Date.parse(instant)
  return new Date(at + offsetAt(at, timeZone)).toISOString().slice(0, 16)
}

/** "Mar 8, 2026, 7:00 AM EDT" */
export const formatInstant = (instant: string | Date, timeZone: string): string =>
  `${formatDayIn(instant, timeZone)}, ${formatTimeIn(instant, timeZone)}`

/** "Sunday, March 8, 2026 at 7:00 AM EDT", for use in sentences. */
export const formatLongInstant = (instant: string | Date, timeZone: string): string =>
  longIn(timeZone).format(new Date(instant))

/** "America/New York (EDT)": the zone and its abbreviation at an instant. */
export const zoneLabel = (timeZone: string, instant: string | Date): string => {
  const name = formatTimeIn(instant, timeZone).split(/[AP]M\s/)[1]
  return `${timeZone.replaceAll('_', ' ')}${name && name !== timeZone ? ` (${name})` : ''}`
}

/** "Mar 8, 2026": the local date of an instant in a zone. */
export const formatDayIn = (instant: string | Date, timeZone: string): string =>
  dayIn(timeZone).format(new Date(instant))

/** "7:00 AM EDT" */
export const formatTimeIn = (instant: string | Date, timeZone: string): string =>
  timeIn(timeZone).format(new Date(instant))

const day = 24 * 60 * 60 * 1000
/** Cached formatters: the publication's zone and the ones tried in settings. */
const maxZones = 20

/** The zone's offset from UTC at an instant, in milliseconds. */
function offsetAt(instant: number, timeZone: string): number {
  const parts = clockOf(timeZone).formatToParts(instant)
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((known) => known.type === type)?.value)
  const shown = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return shown - Math.floor(instant / 1000) * 1000
}

/** Cached because creating a formatter is about 100 times slower than using it. The zone must exist. */
const clockOf = remember(
  (timeZone) =>
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    }),
)

const dayIn = remember((timeZone) => new Intl.DateTimeFormat('en-US', { timeZone, dateStyle: 'medium' }))
const timeIn = remember(
  (timeZone) =>
    new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', minute: '2-digit', timeZoneName: 'short' }),
)

const longIn = remember(
  (timeZone) =>
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      weekday: 'long',
      year: 'numeric',
      month: 'long',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      timeZoneName: 'short',
    }),
)

function remember(make: (timeZone: string) => Intl.DateTimeFormat) {
  const made = new Map<string, Intl.DateTimeFormat>()
  return (timeZone: string) => {
    const format = made.get(timeZone) ?? make(timeZone)
    if (!made.has(timeZone) && made.size >= maxZones) made.clear()
    made.set(timeZone, format)
    return format
  }
}

/** Time zones to choose from. Includes the stored one, since browsers don't list old names and offsets. */
export const zonesWith = (stored: string): string[] =>
  [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', stored])].toSorted()
