import { expect, test } from 'vitest'
import { afterDiscounts, chargesPerYear, yearlyOf } from './recurring-price.ts'

const price = (interval: 'day' | 'week' | 'month' | 'year', interval_count = 1) =>
  chargesPerYear({ interval, interval_count } as Parameters<typeof chargesPerYear>[0]) ?? Number.NaN

test('yearly amounts are whole cents for every interval', () => {
  expect(yearlyOf(1000, { chargesPerYear: price('month') })).toBe(12_000)
  expect(yearlyOf(9900, { chargesPerYear: price('year') })).toBe(9900)
  expect(yearlyOf(2500, { chargesPerYear: price('month', 3) })).toBe(10_000)
  expect(yearlyOf(18_001, { chargesPerYear: price('year', 2) })).toBe(9001)
  expect(yearlyOf(300, { chargesPerYear: price('week') })).toBe(15_600)
})

test('an unknown interval has no yearly amount', () => {
  expect(price('fortnight' as 'week')).toBeNaN()
})

test('recurring discounts apply in order, each rounded half up; one-time discounts are ignored', () => {
  const percent = (percent_off: number, duration: 'forever' | 'once' | 'repeating' = 'forever') => ({
    percent_off,
    amount_off: null,
    duration,
  })
  expect(afterDiscounts(9900, [percent(15)])).toBe(8415)
  expect(afterDiscounts(1000, [percent(33.35)])).toBe(666)
  expect(afterDiscounts(1000, [percent(50, 'once')])).toBe(1000)
  expect(
    afterDiscounts(1000, [percent(10, 'repeating'), { percent_off: null, amount_off: 300, duration: 'forever' }]),
  ).toBe(600)
  expect(afterDiscounts(200, [{ percent_off: null, amount_off: 300, duration: 'forever' }])).toBe(0)
})
