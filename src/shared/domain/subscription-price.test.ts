import { expect, test } from 'vitest'
import { plans } from '#tests/support/default-plans.ts'
import { formatPrice, listPrice, specialPrice } from './subscription-price.ts'

const monthly = { amountCents: 1000, currency: 'usd', interval: 'month', intervalCount: 1 }

test('prices are written like the plans’ list prices, in their own currency and interval', () => {
  expect(formatPrice(monthly)).toBe('$10 per month')
  expect(formatPrice({ ...monthly, amountCents: 750 })).toBe('$7.50 per month')
  expect(formatPrice({ ...monthly, amountCents: 450, currency: 'eur', intervalCount: 6 })).toBe('€4.50 every 6 months')
  expect(formatPrice({ ...monthly, currency: 'jpy', interval: 'year' })).toBe('¥1,000 per year')
  for (const plan of Object.values(plans))
    expect(formatPrice(listPrice(plan))).toBe(`${plan.priceText} per ${plan.interval}`)
})

test('a price other than the plan’s list price is special', () => {
  expect(specialPrice(plans.pro_monthly, monthly)).toBeNull()
  expect(specialPrice(plans.pro_monthly, null)).toBeNull()
  expect(specialPrice(plans.pro_monthly, { ...monthly, amountCents: 500 })).toBe('$5 per month')
  expect(specialPrice(plans.pro_monthly, { ...monthly, currency: 'eur' })).toBe('€10 per month')
})
