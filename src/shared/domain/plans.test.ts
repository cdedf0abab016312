import { expect, test } from 'vitest'
import { comparedPrice, plans } from './plans.ts'

test('the yearly plan’s stated saving is the difference to twelve months', () => {
  const savedCents = plans.pro_monthly.priceCents * 12 - plans.pro_yearly.priceCents
  expect(plans.pro_yearly.note).toContain(`$${savedCents / 100} a year`)
})

test('displayed prices are the prices charged', () => {
  for (const plan of Object.values(plans)) expect(plan.priceText).toBe(`$${plan.priceCents / 100}`)
})

test('a monthly plan shows its yearly price and a yearly plan its monthly price, without zero cents', () => {
  expect(comparedPrice(plans.pro_monthly)).toBe('$120 a year')
  expect(comparedPrice(plans.pro_yearly)).toBe('$8.25 a month')
  expect(comparedPrice(plans.team_monthly)).toBe('$240 a year')
})
