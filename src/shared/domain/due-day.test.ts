import { expect, test } from 'vitest'
import { addDays, daysUntil, dueSentence, dueWords } from './due-day.ts'

test.each([
  ['2026-11-22', 'due today'],
  ['2026-11-23', 'due tomorrow'],
  ['2026-11-24', 'due Tuesday'],
  ['2026-11-28', 'due Saturday'],
  ['2026-11-29', 'due Nov 29'],
  ['2027-01-01', 'due Jan 1'],
  ['2026-11-21', 'was due Nov 21'],
])('on Sunday, Nov 22, %s is “%s”', (day, words) => {
  expect(dueWords(day, '2026-11-22')).toBe(words)
})

test('days are counted across months and daylight saving', () => {
  expect(daysUntil('2026-12-02', '2026-11-30')).toBe(2)
  expect(daysUntil('2026-03-09', '2026-03-07')).toBe(2)
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
  expect(dueSentence('2026-12-04', '2026-11-22')).toBe('Due Friday, Dec 4')
  expect(dueSentence('2026-11-20', '2026-11-22')).toBe('Was due Friday, Nov 20')
  expect(dueSentence('2026-11-22', '2026-11-22')).toBe('Due today, Sunday, Nov 22')
})
