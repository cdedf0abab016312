import { expect, test } from 'vitest'
import { type AccessFacts, resolveAccess, type SubscriptionFacts } from '#shared/domain/entitlement.ts'
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
  pauseStartsAt: null,
  pauseEndsAt: null,
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

const cases: [Partial<AccessFacts>, by: string | null, expected: RegExp][] = [
  [{}, null, /^No subscription\.$/],
  [{ subscription: facts({ status: 'none', productId: null }) }, null, /^No subscription/],
  [{ subscription: facts() }, 'plan', /^Paid; renews on Mar 30, 2026/],
  [{ subscription: facts({ status: 'trialing' }) }, 'plan', /^In trial; renews/],
  [{ subscription: facts({ currentPeriodEnd: day(-2) }) }, null, /hasn’t confirmed a renewal for more than a day/],
  [{ subscription: facts({ cancelAt: day(3) }) }, 'plan', /canceled: access continues until Mar 13/],
  [{ subscription: facts({ cancelAt: day(-3) }) }, null, /canceled: access ended on Mar 7/],
  [
    { subscription: facts({ status: 'past_due', unpaidSince: day(-1) }) },
    'plan',
    /7-day grace period lasts until Mar 16/,
  ],
  [{ subscription: facts({ status: 'past_due', unpaidSince: day(-8) }) }, null, /7-day grace period ended on Mar 9/],
  [{ subscription: facts({ status: 'unpaid' }) }, null, /“unpaid”, which gives no access/],
  [{ subscription: facts({ productId: 'socks' }) }, null, /a product that isn’t one of your plans \(socks\)/],
  [{ subscription: facts({ testClockTime: day(100) }) }, null, /test clock shows/],
  [{ team: facts({ productId: 'team' }) }, 'team', /the team’s plan is active/],
  [{ team: facts() }, null, /the owner has no Team plan/],
  [{ team: facts({ productId: 'team', status: 'canceled' }) }, null, /gives no access \(“canceled”\)/],
  [{ complimentaryUntil: day(1) }, 'complimentary', /Complimentary access lasts until Mar 11/],
  [{ complimentaryUntil: day(-1) }, null, /Complimentary access ended on Mar 9/],
  [{ subscription: facts(), team: facts({ productId: 'team' }), complimentaryUntil: day(1) }, 'plan', /team seat/],
]

test.each(cases)('explains the decision for %j', (given, by, expected) => {
  const explanation = explainEntitlement(access(given), now, products, 'UTC')
  expect(explanation.by).toBe(by)
  expect(explanation.sentences.join(' ')).toMatch(expected)
  const { entitled, until } = resolveAccess(access(given), now, products)
  expect(explanation.entitled).toBe(entitled)
  expect(explanation.until).toEqual(entitled ? until : null)
})

test('times are in the publication’s time zone, like all others of the admin', () => {
  const given = access({ subscription: facts(), complimentaryUntil: day(1) })
  const { sentences } = explainEntitlement(given, now, products, 'America/New_York')
  expect(sentences[0]).toMatch(/^Paid; renews on Mar 30, 2026, 8:00 AM EDT\./)
  expect(sentences[1]).toBe('Complimentary access lasts until Mar 11, 2026, 8:00 AM EDT.')
})
