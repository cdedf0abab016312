import { expect, test } from 'vitest'
import {
  addDays,
  addMonths,
  dateWhenPublished,
  dayOf,
  findGaps,
  findWeeklyRhythm,
  moveToDay,
  nextFreeDay,
  weekOf,
  weeksOfMonth,
} from './publishing-calendar.ts'

test('a month has the weeks it touches, with the days of the months around it', () => {
  const weeks = weeksOfMonth('2026-11')
  expect(weeks).toHaveLength(5)
  expect(weeks[0]?.[0]).toBe('2026-11-01')
  expect(weeks.at(-1)).toEqual([
    '2026-11-29',
    '2026-11-30',
    '2026-12-01',
    '2026-12-02',
    '2026-12-03',
    '2026-12-04',
    '2026-12-05',
  ])
  expect(weeksOfMonth('2027-01')[0]?.[0]).toBe('2026-12-27')
  expect(weeksOfMonth('2026-02')).toHaveLength(4)
  expect(weeksOfMonth('2028-02').flat()).toContain('2028-02-29')
})

test('months and days go over the end of a year', () => {
  expect(addMonths('2026-12', 1)).toBe('2027-01')
  expect(addMonths('2026-01', -1)).toBe('2025-12')
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
  expect(weekOf('2027-01-01')).toBe('2026-12-27')
})

test('every day of the week in which clocks change is there once', () => {
  for (const month of ['2026-03', '2026-10', '2026-11']) {
    const days = weeksOfMonth(month).flat()
    expect(new Set(days).size).toBe(days.length)
  }
})

test('an instant belongs to the day of the publication’s zone, also at the month’s border', () => {
  expect(dayOf('2026-12-01T04:59:00Z', 'America/New_York')).toBe('2026-11-30')
  expect(dayOf('2026-12-01T05:00:00Z', 'America/New_York')).toBe('2026-12-01')
  expect(dayOf('2026-11-30T12:00:00Z', 'Pacific/Kiritimati')).toBe('2026-12-01')
})

test('moving to another day keeps the local time across a change to or from daylight saving', () => {
  const beforeFall = '2026-10-27T11:00:00.000Z'
  expect(moveToDay(beforeFall, '2026-11-03', 'America/New_York')).toBe('2026-11-03T12:00:00.000Z')
  expect(moveToDay('2026-03-03T12:00:00.000Z', '2026-03-10', 'America/New_York')).toBe('2026-03-10T11:00:00.000Z')
  // 2:30 AM doesn't exist on March 8, 2026, and 1:30 AM is there twice on November 1.
  expect(moveToDay('2026-03-07T07:30:00.000Z', '2026-03-08', 'America/New_York')).toBe('2026-03-08T07:30:00.000Z')
  expect(moveToDay('2026-10-31T05:30:00.000Z', '2026-11-01', 'America/New_York')).toBe('2026-11-01T05:30:00.000Z')
})

test('a rhythm is weekly if most drops are a week apart, and has their most common weekday', () => {
  const tuesdays = ['2026-11-03', '2026-11-10', '2026-11-17']
  expect(findWeeklyRhythm(tuesdays)).toEqual({ weekday: 2 })
  expect(findWeeklyRhythm([...tuesdays, '2026-11-25', '2026-12-01'])).toEqual({ weekday: 2 })
  expect(findWeeklyRhythm(tuesdays.slice(1))).toBeNull()
  expect(findWeeklyRhythm(['2026-09-01', '2026-10-01', '2026-11-01'])).toBeNull()
  expect(findWeeklyRhythm(['2026-11-03', '2026-11-03', '2026-11-03'])).toBeNull()
})

test('the next free day is in the first week without a drop, and never in the past', () => {
  const tuesday = { weekday: 2 }
  expect(nextFreeDay(['2026-11-17'], tuesday, '2026-11-23')).toBe('2026-11-24')
  expect(nextFreeDay(['2026-11-24'], tuesday, '2026-11-23')).toBe('2026-12-01')
  expect(nextFreeDay([], tuesday, '2026-11-25')).toBe('2026-12-01')
  expect(nextFreeDay(['2026-12-03'], tuesday, '2026-11-25')).toBe('2026-12-08')
})

test('gaps are the weeks without a drop since the first one, up to four weeks ahead', () => {
  const weeks = ['2026-11', '2026-12', '2027-01'].flatMap(weeksOfMonth).flatMap(([first]) => first ?? [])
  const planned = ['2026-11-03', '2026-11-17', '2026-12-01']
  expect([...new Set(findGaps(weeks, planned, { weekday: 2 }, '2026-11-23'))]).toEqual([
    '2026-11-08',
    '2026-11-22',
    '2026-12-06',
    '2026-12-13',
    '2026-12-20',
  ])
  expect(findGaps(weeks, planned, null, '2026-11-23')).toEqual([])
  expect(findGaps(weeks, [], { weekday: 2 }, '2026-11-23')).toEqual([])
})

test('a drop has the day on which it is published as its date, unless an earlier one was chosen', () => {
  expect(dateWhenPublished('', '2026-12-01', '2026-11-27')).toBe('2026-12-01')
  expect(dateWhenPublished('2026-11-27', '2026-12-01', '2026-11-27')).toBe('2026-12-01')
  expect(dateWhenPublished('2026-12-08', '2026-11-27', '2026-11-27')).toBe('2026-11-27')
  expect(dateWhenPublished('2019-05-07', '2026-12-01', '2026-11-27')).toBe('2019-05-07')
})
