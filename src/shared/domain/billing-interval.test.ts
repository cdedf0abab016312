import { expect, test } from 'vitest'
import { addPeriods, perPeriod } from './billing-interval.ts'
import { giftPriceCents } from './gifts.ts'
import { offerPriceText } from './offer-terms.ts'
import { pricePerInterval } from './plan-texts.ts'
import { lowestPrice, priceTexts } from './price-texts.ts'

const quarterly = { priceCents: 5700, currency: 'usd', interval: 'month', intervalCount: 3 } as const
const everyTwoYears = { priceCents: 30_000, currency: 'jpy', interval: 'year', intervalCount: 2 } as const
const weekly = { priceCents: 500, currency: 'usd', interval: 'week' } as const

test.each([
  [quarterly, '$57 every 3 months', '$19 a month', 22_800],
  [everyTwoYears, '¥30,000 every 2 years', '¥1,250 a month', 15_000],
  [weekly, '$5 per week', '$260 a year', 26_000],
])('%o is told as %s, %s, and a gift of it is a year', (plan, text, compared, gift) => {
  expect(pricePerInterval({ ...priceTexts(plan), ...plan })).toBe(text)
  expect(priceTexts(plan).comparedText).toBe(compared)
  expect(giftPriceCents(plan)).toBe(gift)
})

test('an interval that Stripe told in words is told the same way', () => {
  expect([perPeriod({ interval: '6 months' }), perPeriod({ interval: 'week' })]).toEqual(['every 6 months', 'per week'])
})

test('periods end where Stripe ends them', () => {
  const ends = (from: string, every: typeof quarterly | typeof everyTwoYears | typeof weekly) =>
    addPeriods(new Date(`${from}T10:00:00Z`), every, 1)
      .toISOString()
      .slice(0, 10)
  expect(ends('2026-11-30', quarterly)).toBe('2027-02-28')
  expect(ends('2024-02-29', everyTwoYears)).toBe('2026-02-28')
  expect(ends('2026-12-30', weekly)).toBe('2027-01-06')
})

test('of plans without a monthly one, the lowest price is that of the cheapest year', () => {
  const plan = (more: object) => ({ ...more, ...{ key: 'p', name: 'P', note: '', features: [], seats: 1 } })
  const all = [{ ...quarterly, priceCents: 3000 }, weekly, { ...quarterly, intervalCount: 6, priceCents: 5000 }].map(
    plan,
  )
  expect(lowestPrice(all as never)).toEqual({ priceText: '$50', interval: 'month', intervalCount: 6 })
})

test('an offer says for how long it lasts', () => {
  const terms = { percentOff: 50, amountOffCents: null, duration: 'repeating', months: 6 } as const
  const text = (of: object) =>
    offerPriceText(quarterly, { ...terms, ...of }, { trialDays: 0, now: new Date('2026-01-15') })
  expect(text({})).toBe('$28.50 every 3 months for the first 6 months, then $57 every 3 months')
  expect(text({ duration: 'once' })).toBe('$28.50 for the first 3 months, then $57 every 3 months')
  expect(text({ duration: 'forever' })).toBe('$28.50 every 3 months instead of $57')
})
