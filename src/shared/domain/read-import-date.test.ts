import { expect, test } from 'vitest'
import { type DateOrder, dateOrderOf, readImportDate } from './read-import-date.ts'

const read = (text: string, dateOrder: DateOrder = 'month-first') => {
  const date = readImportDate(text, { dateOrder, timeZone: 'America/New_York' })
  return date instanceof Date ? date.toISOString() : date
}

test.each([
  ['05.04.23', '2023-04-05T00:00:00.000Z'],
  ['31.12.99', '1999-12-31T00:00:00.000Z'],
  ['4/5/23', '2023-04-05T00:00:00.000Z'],
  ['5-Apr-23', '2023-04-05T00:00:00.000Z'],
  ['5. April 2023', '2023-04-05T00:00:00.000Z'],
  ['3rd May 2021', '2021-05-03T00:00:00.000Z'],
  ['Sept. 5, 2023', '2023-09-05T00:00:00.000Z'],
  ['20230405', '2023-04-05T00:00:00.000Z'],
])('the day %s', (text, expected) => {
  expect(read(text)).toBe(expected)
})

test.each([
  ['2023-04-05 14:30:00+00', '2023-04-05T14:30:00.000Z'],
  ['2023-04-05 14:30:00.123456+02', '2023-04-05T12:30:00.123Z'],
  ['2023-04-05 14:30:00 -0400', '2023-04-05T18:30:00.000Z'],
  ['2023-04-05 14:30:00 EST', '2023-04-05T19:30:00.000Z'],
  ['2023-04-05 14:30 UTC+2', '2023-04-05T12:30:00.000Z'],
  ['Wed, 05 Apr 2023 14:30:00 GMT', '2023-04-05T14:30:00.000Z'],
  ['Wed Apr 05 2023 14:30:00 GMT+0200 (Central European Summer Time)', '2023-04-05T12:30:00.000Z'],
  ['4/5/2023, 2:30:00\u202fPM', '2023-04-05T18:30:00.000Z'],
  ['05.04.2023 14.30', '2023-04-05T18:30:00.000Z'],
  ['April 5, 2023 at 2:30 p.m.', '2023-04-05T18:30:00.000Z'],
  ['1680705000', '2023-04-05T14:30:00.000Z'],
  ['1680705000000', '2023-04-05T14:30:00.000Z'],
  ['45021.5', '2023-04-05T16:00:00.000Z'],
])('the time %s in New York', (text, expected) => {
  expect(read(text)).toBe(expected)
})

test.each(['Order 12', 'Apr 5', '05-04-23', '2023-04-05 14:30 XYZ', '2023-04-05 25:00', '45.99', '3 mars 2023'])(
  '%s isn’t taken for a date that it doesn’t say',
  (text) => {
    expect(read(text)).toBe('unreadable')
  },
)

test('the same number for day and month is clear, and others only with an order', () => {
  expect(read('05/05/23', 'unknown')).toBe('2023-05-05T00:00:00.000Z')
  expect(read('05/04/23', 'day-first')).toBe('2023-04-05T00:00:00.000Z')
  expect(read('05/04/23', 'unknown')).toBe('ambiguous')
  expect(['05/04/23', '31/12/23', '12/31/2023', '31.12.2023'].map(dateOrderOf)).toEqual([
    null,
    'day-first',
    'month-first',
    null,
  ])
})
