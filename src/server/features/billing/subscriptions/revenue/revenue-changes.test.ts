import { describe, expect, test } from 'vitest'
import {
  type BillingTimeline,
  type Change,
  finalChanges,
  isUnbilled,
  revenueChanges,
  type TimelineInvoice,
} from './revenue-changes.ts'

const monthly = { plan: 'pro_monthly', yearlyCents: 12_000, priceKey: 'monthly' }
const team = { plan: 'team_monthly', yearlyCents: 24_000, priceKey: 'team' }
const yearly = { plan: 'pro_yearly', yearlyCents: 9_900, priceKey: 'yearly' }

/** A paid invoice for a whole period that starts at `at`. */
const bill = (at: number, item = monthly, more: Partial<TimelineInvoice> = {}): TimelineInvoice => ({
  id: `in_${at}`,
  at,
  isPlanChange: false,
  void: false,
  isPaused: false,
  paidAt: at,
  fullPeriods: [{ ...item, from: at }],
  prorations: [],
  ...more,
})

const timeline = (invoices: TimelineInvoice[], more: Partial<BillingTimeline> = {}): BillingTimeline => ({
  trial: null,
  billingEndedAt: null,
  currency: 'usd',
  currentItems: [invoices.at(-1)?.fullPeriods[0] ?? monthly],
  pendingUpdateInvoice: null,
  invoices,
  ...more,
})

const summarize = (changes: readonly Change[]) =>
  changes.map(({ at, kind, plan, yearlyCents, customers }) => [at, kind, plan, yearlyCents, customers])

describe('recurring revenue', () => {
  test('starts with the first payment and stays the same on renewal', () => {
    const changes = revenueChanges([timeline([bill(100, monthly, { paidAt: 120 }), bill(200), bill(300)])], null)
    expect(summarize(changes)).toEqual([[120, 'new', 'pro_monthly', 12_000, 1]])
  })

  test('is zero during a trial and until the first payment after it', () => {
    const trial = { from: 100, to: 200 }
    const unpaid = bill(200, monthly, { paidAt: null })
    expect(revenueChanges([timeline([bill(100), unpaid], { trial, billingEndedAt: 290 })], null)).toEqual([])
    const paid = bill(200, monthly, { paidAt: 260 })
    expect(summarize(revenueChanges([timeline([bill(100), paid], { trial })], null))).toEqual([
      [260, 'new', 'pro_monthly', 12_000, 1],
    ])
  })

  test('continues while a renewal is unpaid and is lost when the subscription ends', () => {
    const unpaid = bill(200, monthly, { paidAt: null })
    expect(summarize(revenueChanges([timeline([bill(100), unpaid], { billingEndedAt: 215 })], null))).toEqual([
      [100, 'new', 'pro_monthly', 12_000, 1],
      [215, 'lost', 'pro_monthly', -12_000, -1],
    ])
  })

  test('returns with a later subscription, which counts as returned and not as new', () => {
    const changes = revenueChanges(
      [timeline([bill(100)], { billingEndedAt: 150 }), timeline([bill(400, yearly)])],
      null,
    )
    expect(summarize(changes)).toEqual([
      [100, 'new', 'pro_monthly', 12_000, 1],
      [150, 'lost', 'pro_monthly', -12_000, -1],
      [400, 'returned', 'pro_yearly', 9_900, 1],
    ])
  })

  test('has no changes if nothing was ever paid', () => {
    expect(revenueChanges([timeline([bill(100, monthly, { paidAt: null })], { billingEndedAt: 123 })], null)).toEqual(
      [],
    )
  })
})

describe('a switch', () => {
  const credit = (from: number) => ({ ...team, from })

  test('changes both plans at the time of the switch, not of its preview', () => {
    const change = bill(150, team, { isPlanChange: true, fullPeriods: [], prorations: [credit(148)] })
    const changes = revenueChanges([timeline([bill(100), change], { currentItems: [team] })], null)
    expect(summarize(changes).slice(1)).toEqual([
      [150, 'expansion', 'pro_monthly', -12_000, -1],
      [150, 'expansion', 'team_monthly', 24_000, 1],
    ])
  })

  test('that is billed with the renewal counts from when it was made', () => {
    const renewal = bill(200, team, { prorations: [credit(160)] })
    const changes = revenueChanges([timeline([bill(100), renewal], { currentItems: [team] })], null)
    expect(summarize(changes).map(([at]) => at)).toEqual([100, 160, 160])
  })

  test('that no invoice shows yet counts from when it was first seen', () => {
    const waiting = timeline([bill(100)], { currentItems: [team] })
    expect(isUnbilled(waiting)).toBe(true)
    expect(isUnbilled(timeline([bill(100)]))).toBe(false)
    expect(summarize(revenueChanges([waiting], 170)).map(([at]) => at)).toEqual([100, 170, 170])
  })

  test('does not count while its invoice is unpaid or after that was voided', () => {
    const change = bill(150, yearly, { isPlanChange: true, paidAt: null })
    expect(
      revenueChanges(
        [timeline([bill(100), change], { currentItems: [monthly], pendingUpdateInvoice: 'in_150' })],
        null,
      ),
    ).toHaveLength(1)
    const withdrawn = { ...change, void: true }
    expect(revenueChanges([timeline([bill(100), withdrawn], { currentItems: [monthly] })], null)).toHaveLength(1)
  })

  test('to a lower price is a contraction', () => {
    const change = bill(150, yearly, { isPlanChange: true })
    const kinds = revenueChanges([timeline([bill(100), change])], null).map(({ kind }) => kind)
    expect(kinds).toEqual(['new', 'contraction', 'contraction'])
  })
})

test('two subscriptions to one plan count as one customer', () => {
  const changes = revenueChanges([timeline([bill(100)]), timeline([bill(110)], { billingEndedAt: 115 })], null)
  expect(summarize(changes)).toEqual([
    [100, 'new', 'pro_monthly', 12_000, 1],
    [110, 'expansion', 'pro_monthly', 12_000, 0],
    [115, 'contraction', 'pro_monthly', -12_000, 0],
  ])
})

test('a customer with a 100% discount is not a paying customer', () => {
  expect(revenueChanges([timeline([bill(100, { ...monthly, yearlyCents: 0 })])], null)).toEqual([])
})

test('active items are closed once, after the last known change', () => {
  const open = revenueChanges([timeline([bill(100)])], null)
  const closed = [...open, ...finalChanges(open, 50)]
  expect(summarize(closed).slice(1)).toEqual([[101, 'lost', 'pro_monthly', -12_000, -1]])
  expect(finalChanges(closed, 500)).toEqual([])
})

const month = 31 * 24 * 3600

test('each currency is counted on its own, also for changes of one plan in one second', () => {
  const changes = revenueChanges(
    [
      timeline([bill(0)], { billingEndedAt: month }),
      timeline([bill(month)], { currency: 'eur' }),
      timeline([bill(month)], { currency: 'jpy' }),
    ],
    null,
  )
  expect(changes.map(({ at, currency, kind, yearlyCents }) => [at, currency, kind, yearlyCents])).toEqual([
    [0, 'usd', 'new', 12_000],
    [month, 'eur', 'new', 12_000],
    [month + 1, 'jpy', 'new', 12_000],
    [month + 2, 'usd', 'lost', -12_000],
  ])
  expect(finalChanges(changes, 2 * month).map(({ currency, yearlyCents }) => [currency, yearlyCents])).toEqual([
    ['eur', -12_000],
    ['jpy', -12_000],
  ])
})
