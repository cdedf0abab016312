import { describe, expect, test } from 'vitest'
import { legalDefaults } from '#shared/domain/legal.ts'
import { dueNotices, type NoticeRow } from './due-notices.ts'

const now = new Date('2026-03-10T12:00:00Z')
const day = (days: number) => new Date(now.getTime() + days * 24 * 60 * 60 * 1000)

const row = (given: Partial<NoticeRow> = {}): NoticeRow => ({
  stripeSubscriptionId: 'sub_1',
  status: 'active',
  productId: 'prod_pro_monthly',
  priceId: 'price_pro_monthly',
  quantity: 1,
  seatsAfterRenewal: null,
  syncSeq: 7,
  currentPeriodEnd: day(20),
  cancelAt: null,
  pauseStartsAt: null,
  pauseEndsAt: null,
  endedAt: null,
  unpaidSince: null,
  entitledUntil: day(21),
  testClockTime: null,
  cardExpiresAt: new Date('2030-01-01T00:00:00Z'),
  ...given,
})
const failed = row({ status: 'past_due', unpaidSince: day(-1), entitledUntil: day(6) })
const ended = row({ status: 'canceled', endedAt: day(-1) })
const reasons = (before: NoticeRow | null, after: NoticeRow) => dueNotices(before, after, now).map((n) => n.reason)

const noPlan = row({ stripeSubscriptionId: null, status: 'none', productId: null })

test('an email confirms added seats, but not seats that the owner keeps after all', () => {
  expect(reasons(row({ quantity: 3 }), row({ quantity: 5 }))).toEqual(['seats-added:sub_1:7'])
  expect(reasons(row({ quantity: 3, seatsAfterRenewal: 3 }), row({ quantity: 5 }))).toEqual([])
  expect(reasons(row({ quantity: 5 }), row({ quantity: 3 }))).toEqual([])
})

test('nothing is due while a plan is active, renews, or is synced for the first time', () => {
  expect(reasons(row(), row())).toEqual([])
  expect(reasons(null, row())).toEqual([])
  expect(reasons(null, row({ cancelAt: day(20) }))).toEqual([])
  expect(reasons(row(), row({ currentPeriodEnd: day(300), syncSeq: 8 }))).toEqual([])
  expect(reasons(row({ status: 'trialing' }), row())).toEqual([])
})

test('a yearly plan that renews within 30 days is due once per period; monthly, canceled and trial plans are not', () => {
  const yearly = (given: Partial<NoticeRow>) => {
    const after = row(given)
    return dueNotices(after, after, now, true).map(({ reason }) => reason)
  }
  const reason = `renewal:sub_1:${day(30).toISOString()}`
  expect(yearly({ currentPeriodEnd: day(30) })).toEqual([reason])
  expect(yearly({ currentPeriodEnd: day(30.01) })).toEqual([])
  expect(yearly({ currentPeriodEnd: day(30), cancelAt: day(30) })).toEqual([])
  expect(yearly({ currentPeriodEnd: day(30), status: 'trialing' })).toEqual([])
  expect(reasons(row({ currentPeriodEnd: day(30) }), row({ currentPeriodEnd: day(30) }))).toEqual([])
})

describe('a start', () => {
  const started = (isReturning: boolean, id = 'sub_1') => ({ kind: 'started', reason: `started:${id}`, isReturning })

  test('is reported once per subscription, whatever status came before', () => {
    for (const before of [noPlan, row({ status: 'incomplete' }), row({ status: 'incomplete_expired' })]) {
      expect(dueNotices(before, row(), now)).toEqual([started(false)])
      expect(dueNotices(before, row({ status: 'trialing' }), now)).toEqual([started(false)])
    }
    expect(reasons(noPlan, row({ status: 'incomplete' }))).toEqual([])
  })

  test('after an earlier plan counts as returning, even if its end was never synced', () => {
    for (const before of [ended, row(), failed]) {
      expect(dueNotices(before, row({ stripeSubscriptionId: 'sub_2' }), now)).toEqual([started(true, 'sub_2')])
    }
  })

  test('of a trial that ends within three days replaces the reminder', () => {
    const trial = row({ status: 'trialing', currentPeriodEnd: day(2) })
    const reminder = `trial:sub_1:${day(2).toISOString()}`
    expect(dueNotices(noPlan, trial, now)).toEqual([started(false), { kind: 'covered', reason: reminder }])
    expect(reasons(trial, trial)).toEqual([reminder])
  })
})

describe('a change by the user', () => {
  const canceled = row({ cancelAt: day(20), syncSeq: 8 })

  test.each([
    ['a switch', row(), row({ productId: 'prod_team', syncSeq: 8 }), ['switched:sub_1:8']],
    ['a cancellation', row(), canceled, ['canceled:sub_1:8']],
    ['a resumption', canceled, row({ syncSeq: 9 }), ['resumed:sub_1:9']],
    ['a later end date', canceled, row({ cancelAt: day(30), syncSeq: 9 }), []],
    [
      'a switch of a canceled plan',
      canceled,
      row({ productId: 'prod_team', syncSeq: 9 }),
      ['switched:sub_1:9', 'resumed:sub_1:9'],
    ],
  ])('%s is reported once per sync number', (_what, before, after, expected) => {
    expect(reasons(before, after)).toEqual(expected)
    expect(reasons(after, { ...after, syncSeq: 12 })).toEqual([])
  })

  test.each([
    [20, ['canceled']],
    [14, ['canceled', 'covered']],
    [3, ['canceled', 'covered']],
  ])('a cancellation %d days before the end: %j', (days, kinds) => {
    expect(dueNotices(row(), row({ cancelAt: day(days) }), now).map(({ kind }) => kind)).toEqual(kinds)
  })
})

describe('a failed renewal', () => {
  test('has one reason, however often it is seen, and includes the end of access', () => {
    const reason = `payment-failed:sub_1:${day(-1).toISOString()}`
    expect(dueNotices(row(), failed, now)).toEqual([{ kind: 'payment-failed', reason, accessUntil: day(6) }])
    expect(reasons(failed, failed)).toEqual([reason])
    expect(reasons(null, failed)).toEqual([reason])
    expect(reasons(failed, row({ ...failed, currentPeriodEnd: day(60) }))).toEqual([reason])
  })

  test('that is paid is followed by "back again", and the next failure has another reason', () => {
    expect(reasons(failed, row())).toEqual([`back:sub_1:${day(-1).toISOString()}`])
    const next = row({ ...failed, unpaidSince: day(30) })
    expect(reasons(row(), next)).not.toEqual(reasons(row(), failed))
  })
})

describe('an end', () => {
  test('is reported when the status changes, and not on the first sync', () => {
    for (const before of [row(), failed, row({ status: 'trialing' })]) {
      expect(reasons(before, ended)).toEqual(['ended:sub_1'])
      expect(reasons(before, row({ status: 'none', stripeSubscriptionId: null }))).toEqual(['ended:sub_1'])
      expect(reasons(before, row({ status: 'unpaid' }))).toEqual(['ended:sub_1'])
    }
    expect(reasons(null, ended)).toEqual([])
    expect(reasons(ended, ended)).toEqual([])
    expect(reasons(row({ status: 'incomplete' }), row({ status: 'incomplete_expired' }))).toEqual([])
  })

  test('sends nothing further while the next subscription is incomplete', () => {
    expect(reasons(ended, row({ stripeSubscriptionId: 'sub_2', status: 'incomplete' }))).toEqual([])
  })

  test.each([
    [7.01, []],
    [7, ['ending']],
    [0.01, ['ending']],
    [0, []],
    [-1, []],
  ])('scheduled in %d days: %j', (days, kinds) => {
    const set = row({ cancelAt: day(days) })
    const due = reasons(set, set).map((reason) => reason.split(':')[0])
    expect(due).toEqual(kinds)
  })
})

test('a trial reminder is due three days before its end, unless the trial is canceled', () => {
  const trial = (days: number, given: Partial<NoticeRow> = {}) => {
    const set = row({ status: 'trialing', currentPeriodEnd: day(days), ...given })
    return reasons(set, set)
  }
  expect(trial(3.01)).toEqual([])
  expect(trial(3)).toEqual([`trial:sub_1:${day(3).toISOString()}`])
  expect(trial(0)).toEqual([])
  expect(trial(20, { cancelAt: day(20) })).toEqual([])
  expect(trial(2, { cancelAt: day(2) })).toEqual([`ending:sub_1:${day(2).toISOString()}`])
})

test('an expiring card is reported from the month before, while the plan renews', () => {
  const card = (firstAfter: string, given: Partial<NoticeRow> = {}) =>
    reasons(row(), row({ cardExpiresAt: new Date(firstAfter), ...given })).filter((reason) => /^card/.test(reason))
      .length
  expect(card('2026-05-01T00:00:00Z')).toBe(1)
  expect(card('2026-04-01T00:00:00Z')).toBe(1)
  expect(card('2026-06-01T00:00:00Z')).toBe(0)
  expect(card('2026-03-01T00:00:00Z')).toBe(0)
  expect(card('2026-05-01T00:00:00Z', { cancelAt: day(20) })).toBe(0)
  expect(card('2026-05-01T00:00:00Z', { status: 'canceled' })).toBe(0)
})

test('notices use the test clock’s time', () => {
  const set = row({ cancelAt: day(20), testClockTime: day(15) })
  expect(reasons(set, set)).toHaveLength(1)
})

describe('notices that California requires', () => {
  const legal = { ...legalDefaults, yearlyReminder: true }
  const due = (given: Partial<NoticeRow>, settings = legal) => {
    const after = row({ priceInterval: 'month', ...given })
    return dueNotices(after, after, now, false, settings).map(({ reason }) => reason)
  }

  test('a discount that ends within a week has one reason, unless the publisher turned the notice off', () => {
    const reason = `discount:sub_1:${day(7).toISOString()}`
    expect(due({ discountEndsAt: day(7) })).toEqual([reason])
    expect(due({ discountEndsAt: day(7.01) })).toEqual([])
    expect(due({ discountEndsAt: day(-1) })).toEqual([])
    expect(due({ discountEndsAt: day(7), cancelAt: day(20) })).toEqual([])
    expect(due({ discountEndsAt: day(7) }, { ...legal, discountNotice: false })).toEqual([])
  })

  test('a trial of more than 31 days gets its reminder a week ahead, a shorter one three days', () => {
    const trial = (length: number, left: number) =>
      due({ status: 'trialing', currentPeriodStart: day(left - length), currentPeriodEnd: day(left) })
    expect([trial(32, 7).length, trial(32, 7.01).length]).toEqual([1, 0])
    expect([trial(31, 3).length, trial(31, 3.01).length]).toEqual([1, 0])
  })

  test('a monthly plan has one reminder per year, within 30 days of its anniversary', () => {
    const started = (text: string) => due({ startedAt: new Date(text) })
    expect(started('2025-03-10T12:00:00Z')).toEqual(['yearly:sub_1:1'])
    expect(started('2025-03-10T12:00:01Z')).toEqual([])
    expect(started('2023-02-20T12:00:00Z')).toEqual(['yearly:sub_1:3'])
    expect(started('2025-02-08T11:59:59Z')).toEqual([])
    expect(started('2024-02-29T12:00:00Z')).toEqual(['yearly:sub_1:2'])
    expect(due({ startedAt: new Date('2025-03-10T12:00:00Z'), priceInterval: null })).toEqual([])
    expect(due({ startedAt: new Date('2025-03-10T12:00:00Z') }, legalDefaults)).toEqual([])
    expect(due({ startedAt: new Date('2025-03-10T12:00:00Z'), pauseStartsAt: day(-2), pauseEndsAt: day(40) })).toEqual(
      [],
    )
  })
})
