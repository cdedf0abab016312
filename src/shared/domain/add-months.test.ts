import { expect, test } from 'vitest'
import { addMonths } from './add-months.ts'

test.each([
  ['2027-01-31T12:00:00.000Z', 1, '2027-02-28T12:00:00.000Z'],
  ['2027-01-31T12:00:00.000Z', 2, '2027-03-31T12:00:00.000Z'],
  ['2027-12-31T23:59:59.000Z', 2, '2028-02-29T23:59:59.000Z'],
  ['2027-11-15T00:00:00.000Z', 3, '2028-02-15T00:00:00.000Z'],
])('%s and %i months is %s', (start, months, end) => {
  expect(addMonths(new Date(start), months).toISOString()).toBe(end)
})
