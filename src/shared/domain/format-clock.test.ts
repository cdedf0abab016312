import { expect, test } from 'vitest'
import { formatClock, parseClock } from './format-clock.ts'

test.each([
  [0, '0:00'],
  [245.9, '4:05'],
  [3_845, '1:04:05'],
  [36_000, '10:00:00'],
])('%d seconds are %s', (seconds, text) => {
  expect(formatClock(seconds)).toBe(text)
  expect(parseClock(text)).toBe(Math.floor(seconds))
})

test('a length may have more than 59 minutes', () => expect(parseClock(' 90:00 ')).toBe(5_400))

test.each(['', '5', '1:5', '1:60', 'a:00', '-1:00', '1:00:0'])('%j is no time', (text) => {
  expect(parseClock(text)).toBeNull()
})
