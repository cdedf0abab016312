import { expect, test } from 'vitest'
import { plans } from '#shared/domain/plans.ts'
import { comparedPrice } from './compare-prices.ts'

test('a monthly plan is compared by the year and a yearly one by the month, without cents where there are none', () => {
  expect(comparedPrice(plans.pro_monthly)).toBe('$120 a year')
  expect(comparedPrice(plans.pro_yearly)).toBe('$8.25 a month')
  expect(comparedPrice(plans.team_monthly)).toBe('$240 a year')
})
