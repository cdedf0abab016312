/**
 * The instant at which the clocks of a zone show a time, "2026-03-08T07:00" in "America/New_York", as ISO text. A time
 * that is skipped when clocks go forward is read as if they had not; one that comes twice means its first.
 * @throws RangeError for a zone or a time that nobody knows
 */
export function instantOf(local: string, timeZone: string): string {
  const shown = Date.parse(`${local}Z`)
  if (Number.isNaN(shown)) throw new RangeError(`${local} is not a time`)
  // The offset on either side of a change of the clocks: one of the two is the right one.
  const offsets = [offsetAt(shown - day, timeZone), offsetAt(shown + day, timeZone)]
  const fitting = offsets
    .map((offset) => shown - offset)
    .filter((instant) => instant + offsetAt(instant, timeZone) === shown)
  return new Date(fitting.length > 0 ? Math.min(...fitting) : shown - (offsets[0] ?? 0)).toISOString()
}

/** What the clocks of a zone show at an instant, "2026-03-08T07:00". */
export function localTimeOf(instant: string, timeZone: string): string {
  const at = Date.parse(instant)
  return new Date(at + offsetAt(at, timeZone)).toISOString().slice(0, 16)
}

const day = 24 * 60 * 60 * 1000

/** How far the clocks of a zone are ahead of UTC at an instant, in milliseconds. */
function offsetAt(instant: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(instant)
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((known) => known.type === type)?.value)
  const shown = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return shown - Math.floor(instant / 1000) * 1000
}
