import type { CalendarDrop, CalendarMailing } from '#shared/contracts/publishing/content-calendar.ts'
import { addDays } from '#shared/domain/publishing-calendar.ts'

type Label = { text: string; tone: 'plain' | 'primary' | 'accent' | 'danger' }

export const dropLabels: Record<CalendarDrop['state'], Label> = {
  draft: { text: 'Draft', tone: 'plain' },
  scheduled: { text: 'Scheduled', tone: 'accent' },
  published: { text: 'Published', tone: 'primary' },
  failed: { text: 'Not published', tone: 'danger' },
}

export const mailingLabels: Record<CalendarMailing['state'], Label> = {
  scheduled: { text: 'Email planned', tone: 'accent' },
  sending: { text: 'Sending email', tone: 'primary' },
  paused: { text: 'Email paused', tone: 'danger' },
  sent: { text: 'Email sent', tone: 'primary' },
  stopped: { text: 'Email stopped', tone: 'plain' },
  failed: { text: 'Email not sent', tone: 'danger' },
}

const utc = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' })
const longDay = utc({ weekday: 'long', month: 'long', day: 'numeric' })
const shortDay = utc({ weekday: 'short', month: 'short', day: 'numeric' })
const monthDay = utc({ month: 'short', day: 'numeric' })
const monthYear = utc({ month: 'long', year: 'numeric' })
const format = (formatter: Intl.DateTimeFormat, day: string) => formatter.format(new Date(`${day}T00:00:00Z`))

/** "Tuesday, November 24" */
export const formatLongDay = (day: string) => format(longDay, day)
/** "Tue, Nov 24" */
export const formatShortDay = (day: string) => format(shortDay, day)
/** "November 2026" */
export const formatMonth = (month: string) => format(monthYear, `${month}-01`)
/** "Nov 22 – 28", or "Nov 29 – Dec 5" */
export function formatWeek(start: string) {
  const end = addDays(start, 6)
  const last = start.slice(0, 7) === end.slice(0, 7) ? String(Number(end.slice(8))) : format(monthDay, end)
  return `${format(monthDay, start)} – ${last}`
}
