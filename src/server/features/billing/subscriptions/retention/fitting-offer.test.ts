import { describe, expect, test } from 'vitest'
import { type CancelReason, fittingOffer, type StayFacts } from './fitting-offer.ts'

const plan = (key: string, priceCents: number, interval: 'month' | 'year', seats = 1, currency = 'usd') => ({
  key,
  priceCents,
  interval,
  seats,
  currency,
})
const onSale = [
  plan('pro_monthly', 1000, 'month'),
  plan('pro_yearly', 9900, 'year'),
  plan('team_monthly', 2000, 'month', 3),
] as StayFacts['onSale']
const [pro, , team] = onSale as [StayFacts['plan'], StayFacts['plan'], StayFacts['plan']]
const perMonth = (amountCents: number, currency = 'usd') => ({
  amountCents,
  currency,
  interval: 'month',
  intervalCount: 1,
})
const facts: StayFacts = { plan: pro, price: perMonth(1000), people: 1, hasDiscount: false, onSale }
const offered = (reason: CancelReason, more: Partial<StayFacts> = {}) => {
  const offer = fittingOffer(reason, { ...facts, ...more })
  return offer && [offer.kind, offer.plan].filter(Boolean).join(' ')
}

describe('a monthly member', () => {
  test.each<[CancelReason, string | null]>([
    ['too_expensive', 'yearly pro_yearly'],
    ['unused', 'pause'],
    ['missing_features', 'discount'],
    ['low_quality', 'discount'],
    ['switched_service', 'discount'],
    ['too_complex', 'pause'],
    ['customer_service', null],
    ['other', 'pause'],
  ])('who says %s is offered %s', (reason, expected) => {
    expect(offered(reason)).toBe(expected)
  })

  test('on a team plan is offered the plan for one, unless others are on the team', () => {
    const owner = { plan: team, price: perMonth(2000) }
    expect(offered('too_expensive', owner)).toBe('cheaper_plan pro_monthly')
    expect(offered('too_expensive', { ...owner, people: 2 })).toBe('discount')
  })

  test('who already pays less than the yearly price is offered a discount', () => {
    expect(offered('too_expensive', { price: perMonth(700) })).toBe('discount')
  })

  test('with a discount isn’t offered another one', () => {
    expect(offered('low_quality', { hasDiscount: true })).toBeNull()
  })

  test('isn’t offered a plan in another currency', () => {
    expect(offered('too_expensive', { price: perMonth(1000, 'eur') })).toBe('discount')
  })
})

describe('a yearly member', () => {
  const yearly = { price: { ...perMonth(9900), interval: 'year' } }
  test.each<CancelReason>(['unused', 'other', 'low_quality', 'too_expensive'])(
    'who says %s is offered nothing',
    (reason) => {
      expect(offered(reason, yearly)).toBeNull()
    },
  )

  test('is offered a cheaper year', () => {
    const cheaper = [...onSale, plan('light_yearly', 4900, 'year')] as StayFacts['onSale']
    expect(offered('unused', { ...yearly, onSale: cheaper })).toBe('cheaper_plan light_yearly')
  })
})
