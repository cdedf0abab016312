import { expect, test } from 'vitest'
import { daysLeftWords, nextYear, reminderAfter, reminderDays } from './deadlines.ts'

test('a long lead time has a second reminder a week before the date, a short one has none', () => {
  expect([365, 14, 13, 1, 0].map(reminderDays)).toEqual([[365, 7], [14, 7], [13], [1], [0]])
})

test.each([
  ['2027-01-18', 60, '2027-01-19'],
  ['2027-01-19', 60, '2027-03-13'],
  ['2027-03-12', 60, '2027-03-13'],
  ['2027-03-13', 60, null],
  ['2027-03-20', 60, null],
  ['2027-03-19', 0, '2027-03-20'],
])('after %s, a date of March 20 with %s days is next reminded of on %s', (day, leadDays, remindOn) => {
  expect(reminderAfter(day, { dueOn: '2027-03-20', leadDays })).toBe(remindOn)
})

test('a year later is the same day, and the last of February after a leap day', () => {
  expect(['2026-11-30', '2028-02-29', '2027-02-28'].map(nextYear)).toEqual(['2027-11-30', '2029-02-28', '2028-02-28'])
})

test('the days left are in words', () => {
  const words = ['2026-12-01', '2026-12-02', '2026-12-13', '2026-11-30', '2026-11-22'].map((day) =>
    daysLeftWords(day, '2026-12-01'),
  )
  expect(words).toEqual(['today', 'in 1 day', 'in 12 days', '1 day ago', '9 days ago'])
})
