import { expect, test } from 'vitest'
import { formatInstant, formatLongInstant, instantOf, localTimeOf, zoneLabel, zonesWith } from './zoned-time.ts'

test.each([
  ['2026-01-15T07:00', 'America/New_York', '2026-01-15T12:00:00.000Z'],
  ['2026-07-15T07:00', 'America/New_York', '2026-07-15T11:00:00.000Z'],
  ['2026-07-15T07:00', 'Asia/Kolkata', '2026-07-15T01:30:00.000Z'],
  ['2026-07-15T07:00', 'UTC', '2026-07-15T07:00:00.000Z'],
])('%s in %s is %s', (local, zone, instant) => {
  expect(instantOf(local, zone)).toBe(instant)
  expect(localTimeOf(instant, zone)).toBe(local)
})

test('A time that is skipped in spring is read with the offset from before the change', () => {
  expect(instantOf('2026-03-08T02:30', 'America/New_York')).toBe('2026-03-08T07:30:00.000Z')
})

test('A time that occurs twice in autumn is the first one', () => {
  expect(instantOf('2026-11-01T01:30', 'America/New_York')).toBe('2026-11-01T05:30:00.000Z')
})

test('The hour after a clock change is the new hour', () => {
  expect(instantOf('2026-03-08T03:00', 'America/New_York')).toBe('2026-03-08T07:00:00.000Z')
  expect(instantOf('2026-11-01T02:00', 'America/New_York')).toBe('2026-11-01T07:00:00.000Z')
})

test('An invalid time is refused', () => {
  expect(() => instantOf('soon', 'UTC')).toThrow(RangeError)
})

test.each([
  ['America/New_York', 'Mar 8, 2026, 1:59 AM EST'],
  ['Europe/Paris', 'Mar 8, 2026, 7:59 AM GMT+1'],
  ['Asia/Kolkata', 'Mar 8, 2026, 12:29 PM GMT+5:30'],
  ['Pacific/Auckland', 'Mar 8, 2026, 7:59 PM GMT+13'],
  ['+05:30', 'Mar 8, 2026, 12:29 PM GMT+5:30'],
  ['UTC', 'Mar 8, 2026, 6:59 AM UTC'],
])('An instant is shown in the time of %s, with the zone’s name', (zone, words) => {
  expect(formatInstant('2026-03-08T06:59:59Z', zone).replaceAll('\u202f', ' ')).toBe(words)
})

test('A zone’s name depends on daylight saving time', () => {
  expect(formatInstant('2026-03-08T07:00:00Z', 'America/New_York')).toMatch(/3:00\sAM EDT$/)
})

test('A sentence includes the weekday, and a form the zone', () => {
  const instant = '2026-03-08T11:00:00Z'
  expect(formatLongInstant(instant, 'America/New_York')).toMatch(/^Sunday, March 8, 2026 at 7:00\sAM EDT$/)
  expect(zoneLabel('America/New_York', instant)).toBe('America/New York (EDT)')
  expect(zoneLabel('UTC', instant)).toBe('UTC')
})

test.each(['UTC', '+05:30', 'Asia/Calcutta', 'America/New_York'])(
  'the stored zone %s is an option, listed once',
  (stored) => {
    const zones = zonesWith(stored)
    expect(zones.filter((zone) => zone === stored)).toHaveLength(1)
    expect(zones).toEqual(expect.arrayContaining(['UTC', 'America/New_York', 'Europe/Paris']))
  },
)
