import { expect, test } from 'vitest'
import { plans } from '#tests/support/default-plans.ts'
import { peopleText } from './plan-texts.ts'
import { lowestPrice, priceTexts } from './price-texts.ts'

test('the yearly plan’s stated saving is the difference to twelve months', () => {
  const savedCents = plans.pro_monthly.priceCents * 12 - plans.pro_yearly.priceCents
  expect(plans.pro_yearly.note).toContain(`$${savedCents / 100} a year`)
})

test('texts of the default plans are those of their prices', () => {
  for (const plan of Object.values(plans)) expect(plan).toMatchObject(priceTexts(plan))
})

test.each([
  [{ priceCents: 9000, currency: 'eur', interval: 'year' }, '€90', '€7.50 a month'],
  [{ priceCents: 1500, currency: 'jpy', interval: 'month' }, '¥1,500', '¥18,000 a year'],
  [{ priceCents: 10_000, currency: 'jpy', interval: 'year' }, '¥10,000', '¥833 a month'],
  [{ priceCents: 999, currency: 'gbp', interval: 'month' }, '£9.99', '£119.88 a year'],
] as const)('%o is told as %s or %s', (price, priceText, comparedText) => {
  expect(priceTexts(price)).toEqual({ priceText, comparedText })
})

test('the lowest price is one that can be paid by the month, unless all plans are yearly', () => {
  const { pro_monthly: monthly, pro_yearly: yearly, team_monthly: team } = plans
  expect(lowestPrice([team, yearly, monthly])).toEqual({ priceText: '$10', interval: 'month' })
  expect(lowestPrice([yearly, { ...monthly, priceCents: 750 }])).toEqual({ priceText: '$7.50', interval: 'month' })
  expect(lowestPrice([yearly])).toEqual({ priceText: '$99', interval: 'year' })
  expect(lowestPrice([])).toBeNull()
})

test('a plan says whether its owner is one of the people', () => {
  expect(Object.values(plans).map(peopleText)).toEqual(['For one person', 'For one person', '3 people, including you'])
})
