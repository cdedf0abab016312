import { expect, test } from 'vitest'
import { plans } from './plans.ts'

test('the yearly plan’s stated saving is the difference to twelve months', () => {
  const savedCents = plans.pro_monthly.priceCents * 12 - plans.pro_yearly.priceCents
  expect(plans.pro_yearly.note).toContain(`$${savedCents / 100} a year`)
})

test('displayed prices are the prices charged', () => {
  for (const plan of Object.values(plans)) expect(plan.priceText).toBe(`$${plan.priceCents / 100}`)
})
