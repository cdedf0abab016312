import { expect, test } from 'vitest'
import type { AccessFacts, SubscriptionFacts } from '#shared/domain/entitlement.ts'
import { describeAccess } from './describe-access.ts'

const now = new Date('2026-11-21T12:00:00Z')
const later = new Date('2026-12-05T12:00:00Z')
const products = { known: new Set(['pro', 'team']), team: new Set(['team']) }
const paid = (facts: Partial<SubscriptionFacts> = {}): SubscriptionFacts => ({
  status: 'active',
  productId: 'pro',
  currentPeriodStart: new Date('2026-11-05T12:00:00Z'),
  currentPeriodEnd: later,
  cancelAt: null,
  pauseStartsAt: null,
  pauseEndsAt: null,
  unpaidSince: null,
  testClockTime: null,
  ...facts,
})
const none: AccessFacts = { subscription: null, team: null, complimentaryUntil: null }

test.each<[string, Partial<AccessFacts>, string, boolean]>([
  ['without anything', {}, 'No plan, no access.', false],
  ['paid', { subscription: paid() }, 'Pro Monthly, renews Dec 5, 2026.', true],
  ['in trial', { subscription: paid({ status: 'trialing' }) }, 'Pro Monthly, trial until Dec 5, 2026.', true],
  ['canceled', { subscription: paid({ cancelAt: later }) }, 'Pro Monthly, canceled: access ends Dec 5, 2026.', true],
  [
    'with a pause',
    { subscription: paid({ pauseStartsAt: later, pauseEndsAt: new Date('2027-01-05T11:00:00Z') }) },
    'Pro Monthly, paused from Dec 5, 2026 until Jan 5, 2027.',
    true,
  ],
  [
    'paused',
    { subscription: paid({ pauseStartsAt: now, pauseEndsAt: later }) },
    'Pro Monthly, paused until Dec 5, 2026. No access, and no payments.',
    false,
  ],
  [
    'past due',
    { subscription: paid({ status: 'past_due', unpaidSince: now }) },
    'Pro Monthly: the last payment failed. Access continues for a few days.',
    true,
  ],
  [
    'ended',
    { subscription: paid({ status: 'canceled' }) },
    'Pro Monthly has ended or isn’t paid, so there’s no access.',
    false,
  ],
  ['a seat', { team: paid({ productId: 'team' }) }, 'Has access through ana@example.test’s team.', true],
  ['complimentary', { complimentaryUntil: later }, 'Complimentary access until Dec 5, 2026.', true],
])('%s', (_case, facts, sentence, hasAccess) => {
  const context = { planName: 'Pro Monthly', ownerEmail: 'ana@example.test', products, now }
  expect(describeAccess({ ...none, ...facts }, context)).toMatchObject({ sentence, hasAccess })
})
