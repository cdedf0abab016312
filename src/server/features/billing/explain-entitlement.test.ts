import { expect, test } from 'vitest'
import type { AccessFacts, SubscriptionFacts } from '#shared/domain/entitlement.ts'
import { resolveAccess } from '#shared/domain/entitlement.ts'
import { explainEntitlement } from './explain-entitlement.ts'

const now = new Date('2026-03-10T12:00:00Z')
const day = (days: number) => new Date(now.getTime() + days * 24 * 60 * 60 * 1000)
const products = { known: new Set(['pro', 'team']), team: new Set(['team']) }

const facts = (given: Partial<SubscriptionFacts> = {}): SubscriptionFacts => ({
  status: 'active',
  productId: 'pro',
  currentPeriodStart: day(-10),
  currentPeriodEnd: day(20),
  cancelAt: null,
  unpaidSince: null,
  testClockTime: null,
  ...given,
})
const access = (given: Partial<AccessFacts>): AccessFacts => ({
  subscription: null,
  team: null,
  complimentaryUntil: null,
  ...given,
})

const cases: [Partial<AccessFacts>, by: string | null, said: RegExp][] = [
  [{}, null, /^No subscription of their own\.$/],
  [{ subscription: facts({ status: 'none', productId: null }) }, null, /^No subscription/],
  [{ subscription: facts() }, 'plan', /^Paid; renews on Mar 30, 2026/],
  [{ subscription: facts({ status: 'trialing' }) }, 'plan', /^In trial; renews/],
  [{ subscription: facts({ currentPeriodEnd: day(-2) }) }, null, /no news of a renewal for more than a day/],
  [{ subscription: facts({ cancelAt: day(3) }) }, 'plan', /canceled: it stays open until Mar 13/],
  [{ subscription: facts({ cancelAt: day(-3) }) }, null, /canceled: it ended on Mar 7/],
  [
    { subscription: facts({ status: 'past_due', unpaidSince: day(-1) }) },
    'plan',
    /7 days of patience last until Mar 16/,
  ],
  [{ subscription: facts({ status: 'past_due', unpaidSince: day(-8) }) }, null, /7 days of patience ended on Mar 9/],
  [{ subscription: facts({ status: 'unpaid' }) }, null, /"unpaid", which opens nothing/],
  [{ subscription: facts({ productId: 'socks' }) }, null, /a product that we do not sell \(socks\)/],
  [{ subscription: facts({ testClockTime: day(100) }) }, null, /by the customer's test clock/],
  [{ team: facts({ productId: 'team' }) }, 'team', /a team whose plan runs/],
  [{ team: facts() }, null, /whose owner has no team plan now/],
  [{ team: facts({ productId: 'team', status: 'canceled' }) }, null, /opens nothing now \("canceled"\)/],
  [{ complimentaryUntil: day(1) }, 'gift', /Complimentary access runs until Mar 11/],
  [{ complimentaryUntil: day(-1) }, null, /Complimentary access ended on Mar 9/],
  [{ subscription: facts(), team: facts({ productId: 'team' }), complimentaryUntil: day(1) }, 'plan', /seat in a team/],
]

test.each(cases)('%j is explained as it is decided', (given, by, said) => {
  const verdict = explainEntitlement(access(given), now, products)
  expect(verdict.by).toBe(by)
  expect(verdict.words.join(' ')).toMatch(said)
  const decided = resolveAccess(access(given), now, products)
  expect(verdict.entitled).toBe(decided.entitled)
  expect(verdict.until).toEqual(decided.entitled ? decided.until : null)
})
