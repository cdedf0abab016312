import { expect, test } from 'vitest'
import { instantOf, localTimeOf } from './zoned-time.ts'

test.each([
  ['2026-01-15T07:00', 'America/New_York', '2026-01-15T12:00:00.000Z'],
  ['2026-07-15T07:00', 'America/New_York', '2026-07-15T11:00:00.000Z'],
  ['2026-07-15T07:00', 'Asia/Kolkata', '2026-07-15T01:30:00.000Z'],
  ['2026-07-15T07:00', 'UTC', '2026-07-15T07:00:00.000Z'],
])('%s in %s is %s', (local, zone, instant) => {
  expect(instantOf(local, zone)).toBe(instant)
  expect(localTimeOf(instant, zone)).toBe(local)
})

test('A time that the clocks skip in spring is read as if they had not been put forward', () => {
  expect(instantOf('2026-03-08T02:30', 'America/New_York')).toBe('2026-03-08T07:30:00.000Z')
})

test('A time that comes twice in autumn means its first', () => {
  expect(instantOf('2026-11-01T01:30', 'America/New_York')).toBe('2026-11-01T05:30:00.000Z')
})

test('The hour after a change of the clocks is the new hour', () => {
  expect(instantOf('2026-03-08T03:00', 'America/New_York')).toBe('2026-03-08T07:00:00.000Z')
  expect(instantOf('2026-11-01T02:00', 'America/New_York')).toBe('2026-11-01T07:00:00.000Z')
})

test('A time that is none is refused', () => {
  expect(() => instantOf('soon', 'UTC')).toThrow(RangeError)
})
