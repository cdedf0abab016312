import { describe, expect, test } from 'vitest'
import {
  type BillingTimeline,
  type Change,
  finalChanges,
  isUnbilled,
  revenueChanges,
  type TimelineInvoice,
} from './revenue-changes.ts'

const monthly = { plan: 'pro_monthly', yearlyCents: 12_000, what: 'monthly' }
const team = { plan: 'team_monthly', yearlyCents: 24_000, what: 'team' }
const yearly = { plan: 'pro_yearly', yearlyCents: 9_900, what: 'yearly' }

/** A paid invoice for a whole period that begins with it. */
const bill = (at: number, share = monthly, more: Partial<TimelineInvoice> = {}): TimelineInvoice => ({
  id: `in_${at}`,
  at,
  bySwitch: false,
  void: false,
  paidAt: at,
  full: [{ ...share, from: at }],
  rest: [],
  ...more,
})

const story = (invoices: TimelineInvoice[], more: Partial<BillingTimeline> = {}): BillingTimeline => ({
  trial: null,
  stoppedAt: null,
  now: [invoices.at(-1)?.full[0] ?? monthly],
  waitingFor: null,
  invoices,
  ...more,
})

const told = (changes: readonly Change[]) =>
  changes.map(({ at, kind, plan, yearlyCents, customers }) => [at, kind, plan, yearlyCents, customers])

describe('what a customer pays regularly', () => {
  test('begins with the first payment, and a renewal changes nothing', () => {
    const changes = revenueChanges([story([bill(100, monthly, { paidAt: 120 }), bill(200), bill(300)])], null)
    expect(told(changes)).toEqual([[120, 'new', 'pro_monthly', 12_000, 1]])
  })

  test('is nothing during a trial, and nothing after it until somebody pays', () => {
    const trial = { from: 100, to: 200 }
    const unpaid = bill(200, monthly, { paidAt: null })
    expect(revenueChanges([story([bill(100), unpaid], { trial, stoppedAt: 290 })], null)).toEqual([])
    const paid = bill(200, monthly, { paidAt: 260 })
    expect(told(revenueChanges([story([bill(100), paid], { trial })], null))).toEqual([
      [260, 'new', 'pro_monthly', 12_000, 1],
    ])
  })

  test('goes on while a renewal is unpaid, and is lost when the subscription ends', () => {
    const unpaid = bill(200, monthly, { paidAt: null })
    expect(told(revenueChanges([story([bill(100), unpaid], { stoppedAt: 215 })], null))).toEqual([
      [100, 'new', 'pro_monthly', 12_000, 1],
      [215, 'lost', 'pro_monthly', -12_000, -1],
    ])
  })

  test('comes back with another subscription, which makes nobody a new customer', () => {
    const changes = revenueChanges([story([bill(100)], { stoppedAt: 150 }), story([bill(400, yearly)])], null)
    expect(told(changes)).toEqual([
      [100, 'new', 'pro_monthly', 12_000, 1],
      [150, 'lost', 'pro_monthly', -12_000, -1],
      [400, 'returned', 'pro_yearly', 9_900, 1],
    ])
  })

  test('that never began never ends', () => {
    expect(revenueChanges([story([bill(100, monthly, { paidAt: null })], { stoppedAt: 123 })], null)).toEqual([])
  })
})

describe('a switch', () => {
  const credit = (from: number) => ({ ...team, from })

  test('is one change with a line for each plan, at the instant it was made and not of its preview', () => {
    const change = bill(150, team, { bySwitch: true, full: [], rest: [credit(148)] })
    const changes = revenueChanges([story([bill(100), change], { now: [team] })], null)
    expect(told(changes).slice(1)).toEqual([
      [150, 'expansion', 'pro_monthly', -12_000, -1],
      [150, 'expansion', 'team_monthly', 24_000, 1],
    ])
  })

  test('whose bill waited for the renewal counts from when it was made', () => {
    const renewal = bill(200, team, { rest: [credit(160)] })
    const changes = revenueChanges([story([bill(100), renewal], { now: [team] })], null)
    expect(told(changes).map(([at]) => at)).toEqual([100, 160, 160])
  })

  test('that no invoice shows yet counts from its first sight', () => {
    const waiting = story([bill(100)], { now: [team] })
    expect(isUnbilled(waiting)).toBe(true)
    expect(isUnbilled(story([bill(100)]))).toBe(false)
    expect(told(revenueChanges([waiting], 170)).map(([at]) => at)).toEqual([100, 170, 170])
  })

  test('that waits for its payment, or was withdrawn unpaid, is none', () => {
    const change = bill(150, yearly, { bySwitch: true, paidAt: null })
    expect(revenueChanges([story([bill(100), change], { now: [monthly], waitingFor: 'in_150' })], null)).toHaveLength(1)
    const withdrawn = { ...change, void: true }
    expect(revenueChanges([story([bill(100), withdrawn], { now: [monthly] })], null)).toHaveLength(1)
  })

  test('to a lower price is a contraction', () => {
    const change = bill(150, yearly, { bySwitch: true })
    const kinds = revenueChanges([story([bill(100), change])], null).map(({ kind }) => kind)
    expect(kinds).toEqual(['new', 'contraction', 'contraction'])
  })
})

test('two subscriptions to one plan are one customer of it', () => {
  const changes = revenueChanges([story([bill(100)]), story([bill(110)], { stoppedAt: 115 })], null)
  expect(told(changes)).toEqual([
    [100, 'new', 'pro_monthly', 12_000, 1],
    [110, 'expansion', 'pro_monthly', 12_000, 0],
    [115, 'contraction', 'pro_monthly', -12_000, 0],
  ])
})

test('whoever pays nothing, after a discount of everything, is no paying customer', () => {
  expect(revenueChanges([story([bill(100, { ...monthly, yearlyCents: 0 })])], null)).toEqual([])
})

test('what still runs is closed once, after all that is known', () => {
  const open = revenueChanges([story([bill(100)])], null)
  const closed = [...open, ...finalChanges(open, 50)]
  expect(told(closed).slice(1)).toEqual([[101, 'lost', 'pro_monthly', -12_000, -1]])
  expect(finalChanges(closed, 500)).toEqual([])
})
