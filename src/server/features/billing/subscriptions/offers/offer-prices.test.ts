import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  discountedCents,
  discountedPayments,
  type OfferTerms,
  offerPriceText,
  offerTitle,
  problemOfOffer,
} from '#shared/domain/offer-terms.ts'
import { plans } from '#tests/support/default-plans.ts'
import { afterDiscounts } from '../revenue/recurring-price.ts'

const now = new Date('2026-11-30T12:00:00Z')
const terms = (more: Partial<OfferTerms>): OfferTerms => ({
  percentOff: 20,
  amountOffCents: null,
  duration: 'once',
  months: null,
  ...more,
})
const months = (count: number, more: Partial<OfferTerms> = {}) =>
  terms({ duration: 'repeating', months: count, ...more })
const amount = (cents: number) => ({ percentOff: null, amountOffCents: cents })

test('a percentage is rounded half up to a cent, and an amount stops at zero', () => {
  const rows: [price: number, terms: OfferTerms, after: number][] = [
    [1000, terms({}), 800],
    [9900, terms({ percentOff: 15 }), 8415],
    // 333.5 cents and 166.5 cents off.
    [667, terms({ percentOff: 50 }), 333],
    [333, terms({ percentOff: 50 }), 166],
    [1, terms({ percentOff: 49 }), 1],
    [1000, terms({ percentOff: 100 }), 0],
    [1000, terms(amount(250)), 750],
    [1000, terms(amount(2500)), 0],
  ]
  for (const [price, offer, after] of rows) expect(discountedCents(price, offer)).toBe(after)
})

test('a promised price is the one that the revenue report expects on invoices', () => {
  const anyTerms = fc.oneof(
    fc.integer({ min: 1, max: 100 }).map((percentOff) => terms({ percentOff, duration: 'forever' })),
    fc.integer({ min: 1, max: 5000 }).map((cents) => terms({ ...amount(cents), duration: 'forever' })),
  )
  fc.assert(
    fc.property(fc.nat(100_000), anyTerms, (price, offer) => {
      const { percentOff: percent_off, amountOffCents: amount_off, duration } = offer
      expect(discountedCents(price, offer)).toBe(afterDiscounts(price, [{ percent_off, amount_off, duration }]))
    }),
  )
})

test('the price is told in plain words', () => {
  const say = (plan: keyof typeof plans, offer: OfferTerms, trialDays = 0) =>
    offerPriceText(plans[plan], offer, { trialDays, now })
  expect(say('pro_monthly', terms({}))).toBe('$8 for the first month, then $10 a month')
  expect(say('pro_yearly', terms({}))).toBe('$79.20 for the first year, then $99 a year')
  expect(say('pro_monthly', months(3))).toBe('$8 a month for the first 3 months, then $10 a month')
  expect(say('pro_monthly', months(1))).toBe('$8 for the first month, then $10 a month')
  expect(say('pro_yearly', months(3))).toBe('$79.20 for the first year, then $99 a year')
  expect(say('pro_yearly', months(13))).toBe('$79.20 a year for the first 2 years, then $99 a year')
  expect(say('pro_monthly', terms({ duration: 'forever' }))).toBe('$8 a month instead of $10')
  expect(say('pro_monthly', terms({ percentOff: 100 }))).toBe('free for the first month, then $10 a month')
  expect(say('pro_monthly', months(2, { percentOff: 100 }))).toBe('free for the first 2 months, then $10 a month')
  expect(say('team_monthly', terms(amount(550)))).toBe('$14.50 for the first month, then $20 a month')
  expect(say('pro_monthly', terms({}), 14)).toBe('14 days free, then $8 for the first month, then $10 a month')
  // A long trial outlasts the discount, which Stripe counts from sign-up.
  expect(say('pro_monthly', months(1), 60)).toBe('60 days free, then $10 a month')
})

test('the price is shown in the currency of the plan', () => {
  const euros = { ...plans.pro_yearly, currency: 'eur' }
  expect(offerPriceText(euros, terms({}), { trialDays: 0, now })).toBe('€79.20 for the first year, then €99 a year')
  const yen = { ...plans.pro_monthly, priceCents: 1500, currency: 'jpy' }
  expect(offerPriceText(yen, terms({}), { trialDays: 0, now })).toBe('¥1,200 for the first month, then ¥1,500 a month')
  expect(offerTitle(terms({ ...amount(500), currency: 'jpy' }))).toBe('¥500 off the first payment')
})

test('months are counted from sign-up to the same day of a later month, or its last one', () => {
  const count = (day: string, offer: OfferTerms, trialDays = 0) =>
    discountedPayments({ interval: 'month' }, offer, { trialDays, now: new Date(day) })
  expect(count('2026-01-31T00:00:00Z', months(1))).toBe(1)
  expect(count('2026-01-31T00:00:00Z', months(12))).toBe(12)
  expect(count('2026-01-31T00:00:00Z', months(3), 14)).toBe(3)
  expect(count('2026-01-31T00:00:00Z', months(3), 31)).toBe(2)
  expect(count('2026-01-31T00:00:00Z', terms({ duration: 'forever' }))).toBe(Infinity)
})

test('titles', () => {
  expect(offerTitle(terms({}))).toBe('20% off the first payment')
  expect(offerTitle(months(1))).toBe('20% off for one month')
  expect(offerTitle(months(3, amount(500)))).toBe('$5 off for 3 months')
  expect(offerTitle(terms({ duration: 'forever' }))).toBe('20% off for as long as you stay')
})

test('a discount leaves a price that Stripe can charge', () => {
  expect(problemOfOffer(terms({}), [plans.pro_monthly, plans.team_monthly])).toBeNull()
  expect(problemOfOffer(terms({ percentOff: 100 }), [plans.pro_monthly])).toBeNull()
  expect(problemOfOffer(terms(amount(1000)), [plans.pro_monthly])).toBeNull()
  expect(problemOfOffer(terms(amount(1500)), [plans.team_monthly])).toBeNull()
  expect(problemOfOffer(terms(amount(1500)), [plans.team_monthly, plans.pro_monthly])).toContain(
    'more than Pro Monthly costs',
  )
  expect(problemOfOffer(terms({ percentOff: 100, duration: 'forever' }), [plans.pro_monthly])).toContain('free forever')
  expect(problemOfOffer(terms(amount(960)), [plans.pro_monthly])).toContain('less than Stripe can charge')
  const yen = { ...plans.pro_monthly, priceCents: 500, currency: 'jpy' }
  expect(problemOfOffer(terms(amount(470)), [yen])).toContain('¥30, which is less than Stripe can charge (¥50)')
  expect(problemOfOffer(terms(amount(100)), [yen, plans.pro_yearly])).toContain('different currencies')
  expect(problemOfOffer(terms({}), [yen, plans.pro_yearly])).toBeNull()
})
