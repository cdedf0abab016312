import { createContext, useContext } from 'react'
import { formatDayIn, formatTimeIn } from '#shared/domain/zoned-time.ts'

/**
 * The publication's time zone (an IANA name), which the admin shows all times in. Null while it loads; undefined outside
 * the admin, where times are in the reader's own zone.
 */
export const PublicationTimeZone = createContext<string | null | undefined>(undefined)

const clock = new Intl.DateTimeFormat('en-US', { timeStyle: 'short' })
const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' })

/**
 * Formats an instant in a time zone, which is part of the text: "Today, 10:34 AM EST". Without one, uses the reader's zone:
 * "Mar 3, 2025, 4:10 PM".
 */
export function formatTimestamp(at: string, now: Date, zone?: string): string {
  const instant = new Date(at)
  const dayOf = (date: Date) => (zone ? formatDayIn(date, zone) : day.format(date))
  const time = zone ? formatTimeIn(instant, zone) : clock.format(instant)
  const date = dayOf(instant)
  return `${date === dayOf(now) ? 'Today' : date}, ${time}`
}

type TimestampProps = {
  at: string
  /** In the middle of a sentence, with a lowercase "today". */
  inline?: boolean
}

export function Timestamp({ at, inline = false }: TimestampProps) {
  const zone = useContext(PublicationTimeZone)
  const text = formatTimestamp(at, new Date(), zone === null ? 'UTC' : zone)
  return (
    // Invisible until the zone is known, so that no wrong time is shown and nothing shifts.
    <time dateTime={at} className={zone === null ? 'invisible' : undefined}>
      {inline ? text.replace(/^Today/, 'today') : text}
    </time>
  )
}
