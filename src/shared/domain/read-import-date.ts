import { instantOf } from './zoned-time.ts'

/** Whether 05/04/2023 is May 4 (`month-first`) or April 5. `unknown` refuses it. */
export type DateOrder = 'month-first' | 'day-first' | 'unknown'

export type DateFormat = { dateOrder: DateOrder; timeZone: string }

/**
 * Reads a date as exports write it. Times without a zone are in `timeZone`; a day without a time is that day in UTC.
 * @returns null for an empty text
 */
export function readImportDate(
  given: string,
  { dateOrder, timeZone }: DateFormat,
): Date | 'unreadable' | 'ambiguous' | null {
  const text = given.replace(/\s+/g, ' ').trim()
  if (text === '') return null
  const counted = readCount(text)
  if (counted) return plausible(counted.isLocal ? inZone(counted.date, timeZone) : counted.date)
  const found = findDay(text)
  if (!found) return 'unreadable'
  if (found.isAmbiguous && dateOrder === 'unknown') return 'ambiguous'
  const isSwapped = found.isAmbiguous && dateOrder === 'day-first'
  const [month, dayOfMonth] = isSwapped ? [found.day, found.month] : [found.month, found.day]
  const day = `${fullYear(found.year)}-${month.padStart(2, '0')}-${dayOfMonth.padStart(2, '0')}`
  const midnight = new Date(`${day}T00:00:00Z`)
  // `new Date` moves February 30 to March 1.
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day)) return 'unreadable'
  const rest = text.slice(found.length).replace(/^(?:[ ,T]|at )+/, '')
  return plausible(rest === '' ? midnight : withTime(day, rest, timeZone))
}

/** Tells the order of day and month in a date's file; null if the date fits both. */
export function dateOrderOf(text: string): DateOrder | null {
  const found = findDay(text.replace(/\s+/g, ' ').trim())
  if (!found?.isAmbiguous) return null
  if (Number(found.month) > 12) return 'day-first'
  return Number(found.day) > 12 ? 'month-first' : null
}

function plausible(date: Date | null): Date | 'unreadable' {
  const year = date?.getUTCFullYear() ?? 0
  // The comparison is false for an invalid date too.
  return date && year >= 1990 && year < 2200 ? date : 'unreadable'
}

/** Seconds or milliseconds since 1970, or Excel's days since 1900, which are local. */
function readCount(text: string): { date: Date; isLocal: boolean } | null {
  if (/^\d{10}(\.\d+)?$/.test(text)) return { date: new Date(Number(text) * 1_000), isLocal: false }
  if (/^\d{13}$/.test(text)) return { date: new Date(Number(text)), isLocal: false }
  if (!/^\d{5}(\.\d+)?$/.test(text)) return null
  return { date: new Date(Math.round((Number(text) - 25_569) * 86_400) * 1_000), isLocal: text.includes('.') }
}

/** `month` is the number that comes first in an ambiguous date. */
type FoundDay = { year: string; month: string; day: string; isAmbiguous: boolean; length: number }

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const monthName =
  '(?<name>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const weekday = '(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*[.,]* )?'
const end = '(?=$|[ ,T])'
const patterns = [
  '(?<year>\\d{4})[-/.](?<month>\\d{1,2})[-/.](?<day>\\d{1,2})',
  '(?<year>\\d{4})(?<month>\\d{2})(?<day>\\d{2})',
  `(?<year>\\d{4})-${monthName}-(?<day>\\d{1,2})`,
  '(?<day>\\d{1,2})\\. ?(?<month>\\d{1,2})\\. ?(?<year>\\d{4}|\\d{2})',
  `${weekday}${monthName}\\.? (?<day>\\d{1,2})(?:st|nd|rd|th)?,? (?<year>\\d{4})`,
  `${weekday}(?<day>\\d{1,2})(?:st|nd|rd|th|\\.)?[ -]${monthName}\\.?,?[ -](?<year>\\d{4}|\\d{2})`,
].map((pattern) => new RegExp(`^${pattern}${end}`, 'i'))
/** A year of two digits after hyphens could as well be a day. */
const ambiguous =
  /^(?<month>\d{1,2})(?:\/(?<day>\d{1,2})\/(?<year>\d{4}|\d{2})|-(?<day>\d{1,2})-(?<year>\d{4}))(?=$|[ ,T])/

function findDay(text: string): FoundDay | null {
  const clear = patterns.map((pattern) => pattern.exec(text)).find((match) => match !== null)
  const match = clear ?? ambiguous.exec(text)
  if (!match) return null
  const { year = '', name, day = '' } = match.groups ?? {}
  const month = name ? String(months.indexOf(name.slice(0, 3).toLowerCase()) + 1) : (match.groups?.month ?? '')
  return { year, month, day, isAmbiguous: !clear && month !== day, length: match[0].length }
}

const fullYear = (year: string) => (year.length > 2 ? year : Number(year) >= 90 ? `19${year}` : `20${year}`)

/** Hours ahead of UTC. Names that mean several zones aren't among them. */
const zones: ReadonlyMap<string, number> = new Map([
  ...(['Z', 'UTC', 'GMT'] as const).map((name): [string, number] => [name, 0]),
  ...Object.entries({ EST: -5, EDT: -4, CST: -6, CDT: -5, MST: -7, MDT: -6, PST: -8, PDT: -7, CET: 1, CEST: 2 }),
])
const timePattern =
  /^(\d{1,2})[:.h](\d{2})(?:[:.](\d{2})(?:[.,](\d{1,9}))?)? ?(?:([ap])\.?m\.?)? ?([a-z]{1,4})?([+-]\d{1,2}(?::?\d{2})?)?(?: \([^)]*\))?$/i

/** Null if the time can't be read. */
function withTime(day: string, rest: string, timeZone: string): Date | null {
  const [all, hours = '', minutes, seconds = '00', fraction = '0', half, name = '', offset = ''] =
    timePattern.exec(rest) ?? []
  const ahead = name ? zones.get(name.toUpperCase()) : 0
  if (all === undefined || ahead === undefined) return null
  const hour = half ? (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hours)
  const wall = new Date(`${day}T${String(hour).padStart(2, '0')}:${minutes}:${seconds}.${fraction.slice(0, 3)}Z`)
  if (Number.isNaN(wall.getTime())) return null
  if (!name && !offset) return inZone(wall, timeZone)
  const [, sign, hoursAhead = 0, minutesAhead = 0] = /^([+-])(\d{1,2}):?(\d{2})?$/.exec(offset) ?? []
  const minutesOf = Number(hoursAhead) * 60 + Number(minutesAhead)
  return new Date(wall.getTime() - (ahead * 60 + (sign === '-' ? -minutesOf : minutesOf)) * 60_000)
}

/** Converts what a clock in the zone shows to an instant. */
const inZone = (wall: Date, timeZone: string): Date =>
  timeZone === 'UTC' || Number.isNaN(wall.getTime())
    ? wall
    : new Date(instantOf(wall.toISOString().slice(0, -1), timeZone))
