import { useContext } from 'react'
import { formatDayIn, formatTimeIn } from '#shared/domain/zoned-time.ts'
import { PublicationZone } from './publication-zone.ts'

const clock = new Intl.DateTimeFormat('en-US', { timeStyle: 'short' })
const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' })

/**
 * "Today, 10:34 AM EST" on the clocks of a zone, which it names. Without a zone, in the reader's own time:
 * "Mar 3, 2025, 4:10 PM".
 */
export function momentText(at: string, now: Date, zone?: string): string {
  const instant = new Date(at)
  const dayOf = (date: Date) => (zone ? formatDayIn(date, zone) : day.format(date))
  const time = zone ? formatTimeIn(instant, zone) : clock.format(instant)
  const date = dayOf(instant)
  return `${date === dayOf(now) ? 'Today' : date}, ${time}`
}

type MomentProps = {
  at: string
  /** In the middle of a sentence: "last used today". */
  inline?: boolean
}

export function Moment({ at, inline = false }: MomentProps) {
  const zone = useContext(PublicationZone)
  const text = momentText(at, new Date(), zone === null ? 'UTC' : zone)
  return (
    // Keeps its place until the zone is known, so that no wrong time is shown and nothing moves.
    <time dateTime={at} className={zone === null ? 'invisible' : undefined}>
      {inline ? text.replace(/^Today/, 'today') : text}
    </time>
  )
}
