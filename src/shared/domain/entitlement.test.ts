import { describe, expect, test } from 'vitest'
import {
  type AccessFacts,
  boundaryPassedSince,
  entitlement,
  graceMs,
  paidUntil,
  renewalSlackMs,
  resolveAccess,
  type SubscriptionFacts,
} from './entitlement.ts'

const known = new Set(['prod_pro'])
const start = new Date('2026-03-01T00:00:00Z')
const end = new Date('2026-04-01T00:00:00Z')
const second = (instant: Date, seconds: number) => new Date(instant.getTime() + seconds * 1000)
const later = (instant: Date, ms: number) => new Date(instant.getTime() + ms)

const facts = (given: Partial<SubscriptionFacts>): SubscriptionFacts => ({
  status: 'active',
  productId: 'prod_pro',
  currentPeriodStart: start,
  currentPeriodEnd: end,
  cancelAt: null,
  pauseStartsAt: null,
  pauseEndsAt: null,
  unpaidSince: null,
  testClockTime: null,
  ...given,
})

const cancelAt = new Date('2026-03-20T10:00:00Z')
const unpaidSince = new Date('2026-03-01T01:00:00Z')

const rows: { title: string; facts: SubscriptionFacts; until: Date; shownEnd: Date }[] = [
  {
    title: 'an active subscription lasts a day longer than its period',
    facts: facts({}),
    until: later(end, renewalSlackMs),
    shownEnd: end,
  },
  {
    title: 'a trial lasts a day longer than its period',
    facts: facts({ status: 'trialing' }),
    until: later(end, renewalSlackMs),
    shownEnd: end,
  },
  {
    title: 'an active subscription that is scheduled to end, ends then',
    facts: facts({ cancelAt }),
    until: cancelAt,
    shownEnd: cancelAt,
  },
  {
    title: 'a trial that is scheduled to end, ends then',
    facts: facts({ status: 'trialing', cancelAt }),
    until: cancelAt,
    shownEnd: cancelAt,
  },
  {
    title: 'a failed renewal keeps access for seven days from the oldest open invoice',
    facts: facts({ status: 'past_due', unpaidSince }),
    until: later(unpaidSince, graceMs),
    shownEnd: later(unpaidSince, graceMs),
  },
  {
    title: 'a failed renewal without an open invoice keeps access for seven days from the start of the period',
    facts: facts({ status: 'past_due' }),
    until: later(start, graceMs),
    shownEnd: later(start, graceMs),
  },
]

describe('B19: access for each row, a second before, at and after its boundary', () => {
  test.each(rows)('$title', ({ facts, until, shownEnd }) => {
    for (const [seconds, entitled] of [
      [-1, true],
      [0, false],
      [1, false],
    ] as const) {
      expect(entitlement(facts, second(until, seconds), known)).toEqual({ entitled, until, shownEnd })
    }
  })

  test.each(['incomplete', 'incomplete_expired', 'unpaid', 'paused', 'canceled', 'none', 'an unknown status'])(
    'a subscription that is %s gives no access, whatever its period',
    (status) => {
      for (const seconds of [-1, 0, 1]) {
        const answer = entitlement(facts({ status, unpaidSince, cancelAt }), second(start, seconds), known)
        expect(answer).toEqual({ entitled: false, until: null, shownEnd: null })
      }
    },
  )

  test('no subscription gives no access', () => {
    expect(entitlement(null, start, known).entitled).toBe(false)
  })

  test.each(['active', 'past_due'])('a subscription that is %s without dates gives no access', (status) => {
    const dateless = facts({ status, currentPeriodStart: null, currentPeriodEnd: null })
    expect(entitlement(dateless, start, known).entitled).toBe(false)
  })
})

test('a plan is paid until its own end or that of its period, and a failed renewal doesn’t count as paid', () => {
  expect(paidUntil(facts({}))).toEqual(end)
  expect(paidUntil(facts({ cancelAt }))).toEqual(cancelAt)
  expect(paidUntil(facts({ cancelAt, unpaidSince }))).toBeNull()
})

test('B23: a product that we don’t sell gives no access', () => {
  for (const productId of ['prod_other', '__proto__', '', null]) {
    expect(entitlement(facts({ productId }), start, known).entitled).toBe(false)
  }
})

test('B33: a test clock replaces the real time', () => {
  const nextYear = new Date('2027-01-01T00:00:00Z')
  expect(entitlement(facts({ testClockTime: second(end, 0) }), nextYear, known).entitled).toBe(true)
  expect(entitlement(facts({ testClockTime: nextYear }), start, known).entitled).toBe(false)
})

describe('a boundary is passed', () => {
  const synced = second(end, -60)
  test('at the displayed end and again at the end of access', () => {
    expect(boundaryPassedSince(facts({}), synced, second(end, -1))).toBe(false)
    expect(boundaryPassedSince(facts({}), synced, end)).toBe(true)
    expect(boundaryPassedSince(facts({}), end, second(end, 60))).toBe(false)
    expect(boundaryPassedSince(facts({}), end, later(end, renewalSlackMs))).toBe(true)
  })

  test('never without access, nor in simulated time', () => {
    expect(boundaryPassedSince(facts({ status: 'canceled' }), synced, second(end, 60))).toBe(false)
    expect(boundaryPassedSince(facts({ testClockTime: synced }), synced, second(end, 60))).toBe(false)
  })
})

describe('what gives a user access to the portal', () => {
  const products = { known: new Set(['prod_pro', 'prod_team']), team: new Set(['prod_team']) }
  const nothing: AccessFacts = { subscription: null, team: null, complimentaryUntil: null }
  const team = facts({ productId: 'prod_team' })
  const over = facts({ status: 'canceled' })
  const now = second(start, 60)
  const of = (access: Partial<AccessFacts>) => {
    const { entitled, productId } = resolveAccess({ ...nothing, ...access }, now, products)
    return entitled ? productId : false
  }

  test.each<{ title: string; access: Partial<AccessFacts>; opens: string | null | false }>([
    { title: 'without anything there is no access', access: {}, opens: false },
    { title: 'a seat gives the access of the owner’s Team plan', access: { team }, opens: 'prod_team' },
    { title: 'a seat gives no access if the owner is on Pro', access: { team: facts({}) }, opens: false },
    {
      title: 'a seat gives no access after the plan has ended',
      access: { team: { ...team, status: 'canceled' } },
      opens: false,
    },
    {
      title: 'a user’s own active plan takes precedence over the seat',
      access: { subscription: facts({}), team },
      opens: 'prod_pro',
    },
    {
      title: 'the seat takes precedence over the user’s own ended plan',
      access: { subscription: over, team },
      opens: 'prod_team',
    },
    { title: 'complimentary access comes last', access: { team, complimentaryUntil: end }, opens: 'prod_team' },
    {
      title: 'complimentary access is enough',
      access: { subscription: over, complimentaryUntil: end },
      opens: null,
    },
    { title: 'complimentary access ends on its date', access: { complimentaryUntil: now }, opens: false },
  ])('$title', ({ access, opens }) => expect(of(access)).toBe(opens))
})
