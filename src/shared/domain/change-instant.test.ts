import { expect, test } from 'vitest'
import { changeInstant } from './change-instant.ts'

const now = new Date('2026-11-22T16:00:00Z')

test.each([
  ['2026-11-22T15:59:59.999Z', '2026-11-22T15:59:59.999Z'],
  ['2026-11-22T18:00:00+02:00', '2026-11-22T16:00:00.000Z'],
  ['9999-12-31T23:59:59Z', '2026-11-22T16:00:00.000Z'],
  ['0000-01-01T00:00:00Z', '2020-01-01T00:00:00.000Z'],
])('a change made at %s counts from %s', (at, counted) => {
  expect(changeInstant(at, now).toISOString()).toBe(counted)
})
