import { reminderDays } from '#shared/domain/deadlines.ts'
import { addDays } from '#shared/domain/due-day.ts'

export type CalendarEvent = {
  id: string
  title: string
  about: string
  url: string
  dueOn: string
  leadDays: number
  revision: number
  updatedAt: Date
}

/** An iCalendar file (RFC 5545) of days without a time zone, with an alarm at 8 AM for each reminder. */
export function writeCalendar(
  { name, about, host }: { name: string; about: string; host: string },
  events: readonly CalendarEvent[],
): string {
  const lines = [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', `PRODID:-//${host}//Deadlines//EN`, 'METHOD:PUBLISH'],
    ...[`X-WR-CALNAME:${escapeText(name)}`, `X-WR-CALDESC:${escapeText(about)}`, 'X-PUBLISHED-TTL:PT6H'],
    ...events.flatMap((event) => eventLines(event, host)),
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${fold(line)}\r\n`).join('')
}

const eventLines = ({ id, title, about, url, dueOn, leadDays, revision, updatedAt }: CalendarEvent, host: string) => [
  'BEGIN:VEVENT',
  `UID:${id}@${host}`,
  `DTSTAMP:${updatedAt.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`,
  `SEQUENCE:${revision}`,
  `DTSTART;VALUE=DATE:${dueOn.replaceAll('-', '')}`,
  `DTEND;VALUE=DATE:${addDays(dueOn, 1).replaceAll('-', '')}`,
  `SUMMARY:${escapeText(title)}`,
  `DESCRIPTION:${escapeText(`${about}\n${url}`.trim())}`,
  `URL:${url}`,
  'TRANSP:TRANSPARENT',
  ...reminderDays(leadDays).flatMap((days) => [
    ...['BEGIN:VALARM', 'ACTION:DISPLAY', `DESCRIPTION:${escapeText(title)}`],
    `TRIGGER:${days === 0 ? 'PT8H' : `-P${days - 1}DT16H`}`,
    'END:VALARM',
  ]),
  'END:VEVENT',
]

/** For values of iCalendar and vCard files. */
export const escapeText = (text: string) => text.replaceAll(/[\\;,]/g, '\\$&').replaceAll('\n', '\\n')

const maxOctets = 75

/** Breaks a line before it is longer than 75 octets, between characters. */
export function fold(line: string): string {
  let folded = ''
  let octets = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (octets + size > maxOctets) {
      folded += '\r\n '
      octets = 1
    }
    folded += character
    octets += size
  }
  return folded
}
