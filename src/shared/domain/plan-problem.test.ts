import { expect, test } from 'vitest'
import { problemOfPlan } from './plan-problem.ts'

const plan = {
  name: 'Pro',
  note: '',
  features: [],
  currency: 'usd',
  interval: 'month',
  intervalCount: 1,
  seats: 1,
  trialDays: null,
} as const

test.each([
  [Number.NaN, 'Enter an amount for the price, such as 10 or 7.50.'],
  [0, 'A plan can’t be free. To give access for free, use complimentary access or the free edition.'],
  [49, 'Enter a price of at least $0.50, which is the least that Stripe charges.'],
  [50, null],
])('a price of %d cents: %s', (priceCents, problem) => {
  expect(problemOfPlan({ ...plan, priceCents, perSeat: false })).toBe(problem)
})
