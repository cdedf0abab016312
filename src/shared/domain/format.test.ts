import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatDay, formatList } from './format.ts'

const day = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' })
const list = new Intl.ListFormat('en', { type: 'conjunction' })

test('a day is formatted as Intl does', () => {
  const dates = fc.date({ min: new Date('1970-01-01'), max: new Date('2999-12-31'), noInvalidDate: true })
  fc.assert(fc.property(dates, (date) => void expect(formatDay(date)).toBe(day.format(date))))
})

test('a calendar day is the same in every time zone', () => {
  expect(formatDay('2025-03-03')).toBe('Mar 3, 2025')
})

test('a list is formatted as Intl does', () => {
  const words = fc.array(fc.string({ minLength: 1 }), { maxLength: 5 })
  fc.assert(fc.property(words, (items) => void expect(formatList(items)).toBe(list.format(items))))
})
