import { expect, test } from 'vitest'
import { plans } from '#shared/domain/plans.ts'
import { priceFor, yearlySavingPercent } from './compare-prices.ts'

test('every plan has a price by the month and by the year, without cents where there are none', () => {
  const all = Object.values(plans)
  expect(all.map((terms) => priceFor(terms, 'month'))).toEqual(['$10 a month', '$8.25 a month', '$20 a month'])
  expect(all.map((terms) => priceFor(terms, 'year'))).toEqual(['$120 a year', '$99 a year', '$240 a year'])
})

test('the saving of a year is said without rounding it up', () => {
  expect(yearlySavingPercent).toBe(17)
})
