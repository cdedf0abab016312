import { expect, test } from 'vitest'
import { comparedPrice, lowestMonthlyPrice, peopleText } from './plan-texts.ts'
import { plans } from './plans.ts'

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

test('the lowest price is one that can be paid by the month, unless all plans are yearly', () => {
  const { pro_monthly: monthly, pro_yearly: yearly, team_monthly: team } = plans
  expect(lowestMonthlyPrice([team, yearly, monthly])).toBe('$10')
  expect(lowestMonthlyPrice([yearly, { ...monthly, priceCents: 750 }])).toBe('$7.50')
  expect(lowestMonthlyPrice([yearly])).toBe('$8.25')
})

test('a plan says whether its owner is one of the people', () => {
  expect(Object.values(plans).map(peopleText)).toEqual(['For one person', 'For one person', '3 people, including you'])
})
