import '#tests/support/property-seed.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dayMs, minuteMs } from '#shared/domain/durations.ts'
import { formatHour, hoursOfDay, parseDropTime, readerHourAfter, usualHour } from '#shared/domain/reader-hour.ts'
import { localTimeOf } from '#shared/domain/zoned-time.ts'
import { caseCount } from '#tests/support/case-count.ts'

const at = (publishedAt: string, timeZone: string, hour: number) =>
  readerHourAfter(new Date(publishedAt), timeZone, hour).toISOString()

describe('a drop published at 7 AM in New York', () => {
  test.each([
    ['America/New_York', 9, '2026-11-24T14:00:00.000Z'],
    ['America/New_York', 6, '2026-11-25T11:00:00.000Z'],
    ['America/Los_Angeles', 7, '2026-11-24T15:00:00.000Z'],
    ['Asia/Kolkata', 7, '2026-11-25T01:30:00.000Z'],
    ['Asia/Kathmandu', 18, '2026-11-24T12:15:00.000Z'],
  ])('arrives in %s at %i', (zone, hour, expected) => {
    expect(at('2026-11-24T12:00:00Z', zone, hour)).toBe(expected)
  })

  test('is sent at once to readers whose hour it is, however late in the hour sending starts', () => {
    expect(at('2026-11-24T12:00:00Z', 'America/New_York', 7)).toBe('2026-11-24T12:00:00.000Z')
    expect(at('2026-11-24T12:59:59Z', 'America/New_York', 7)).toBe('2026-11-24T12:59:59.000Z')
  })
})

describe('when clocks change', () => {
  test('an hour that is skipped means the hour that clocks show instead', () => {
    expect(at('2026-03-08T05:30:00Z', 'America/New_York', 2)).toBe('2026-03-08T07:00:00.000Z')
  })

  test('of an hour that occurs twice, the first counts', () => {
    expect(at('2026-11-01T04:30:00Z', 'America/New_York', 1)).toBe('2026-11-01T05:00:00.000Z')
  })

  test('the day of 25 hours keeps nobody waiting for more than 24', () => {
    // At 8 AM before the change, for 7 AM after it; and where clocks go back by two hours.
    expect(at('2026-10-31T12:00:00Z', 'America/New_York', 7)).toBe('2026-11-01T12:00:00.000Z')
    expect(at('2026-10-24T06:00:00Z', 'Antarctica/Troll', 7)).toBe('2026-10-25T06:00:00.000Z')
  })

  test('a day that a zone skips is passed over', () => {
    expect(at('2011-12-30T08:00:00Z', 'Pacific/Apia', 7)).toBe('2011-12-30T17:00:00.000Z')
  })
})

test('in any zone and at any time, a reader’s hour comes within 24 hours and never later than it could', () => {
  const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
  const instants = fc.date({ min: new Date('2000-01-01'), max: new Date('2037-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(instants, zones, fc.constantFrom(...hoursOfDay), (publishedAt, zone, hour) => {
      const sendAt = readerHourAfter(publishedAt, zone, hour)
      const waitMs = sendAt.getTime() - publishedAt.getTime()
      expect(waitMs).toBeGreaterThanOrEqual(0)
      expect(waitMs).toBeLessThanOrEqual(dayMs)
      const hourAt = (instant: number) => Number(localTimeOf(new Date(instant).toISOString(), zone).slice(11, 13))
      for (let instant = publishedAt.getTime(); instant < sendAt.getTime(); instant += 15 * minuteMs) {
        // No earlier quarter of an hour would have been in the reader's hour.
        expect(hourAt(instant)).not.toBe(hour)
      }
      // Later than the hour only where clocks jump over it, by at most two hours.
      const lateHours = (hourAt(sendAt.getTime()) - hour + 24) % 24
      expect(waitMs === dayMs || lateHours <= 2).toBe(true)
    }),
    { numRuns: caseCount(1_000, 5_000) },
  )
})

test('an unknown time zone is refused', () => {
  expect(() => at('2026-11-24T12:00:00Z', 'Mars/Olympus', 7)).toThrow(RangeError)
})

describe('the hour at which someone usually reads', () => {
  test.each([
    ['the median of their hours', [6, 7, 7, 7, 8, 9, 15], 7],
    ['around midnight, too', [23, 23, 0, 0, 1], 0],
    ['unknown with few hours', [7, 7, 7, 7], null],
    ['unknown if they read at all hours', [0, 4, 8, 12, 16, 20, 22], null],
  ])('is %s', (_name, hours, expected) => {
    expect(usualHour(hours)).toBe(expected)
  })
})

test('stored choices are read, and anything else is not one', () => {
  expect(['publication', 'usual', '0', '23'].map(parseDropTime)).toEqual(['publication', 'usual', 0, 23])
  expect(['', '24', '07', '-1', 'noon'].map(parseDropTime)).toEqual([null, null, null, null, null])
})

test('hours are shown on a clock of twelve', () => {
  expect([0, 7, 12, 23].map(formatHour)).toEqual(['12 AM', '7 AM', '12 PM', '11 PM'])
})
