import { describe, expect, test } from 'vitest'
import { type InvoiceRow, type MonthlyTotal, monthlyTotalsDelta, monthOf } from './monthly-totals.ts'
import type { Change } from './revenue-changes.ts'
import { revenueReport } from './revenue-report.ts'

const at = (day: string) => Date.parse(`${day}T00:00:00Z`) / 1000
const change = (day: string, kind: Change['kind'], yearlyCents: number, customers: number, plan = 'pro_yearly') => ({
  at: at(day),
  plan,
  kind,
  yearlyCents,
  currency: 'usd',
  customers,
})

const invoice = (more: Partial<InvoiceRow>): InvoiceRow => ({
  id: 'in_1',
  customerId: 'cus_1',
  subscriptionId: 'sub_1',
  plan: 'pro_monthly',
  status: 'paid',
  createdAt: new Date('2026-03-31T22:00:00Z'),
  periodStart: new Date('2026-03-31T22:00:00Z'),
  periodEnd: new Date('2026-04-30T22:00:00Z'),
  currency: 'usd',
  dueCents: 1000,
  paidCents: 1000,
  refundedCents: 0,
  dueTaxCents: 0,
  paidTaxCents: 0,
  refundedTaxCents: 0,
  attempts: 1,
  paidAt: new Date('2026-03-31T23:59:59Z'),
  failedAt: null,
  discounts: [],
  ...more,
})

const nothing = { changes: [], invoices: [] }

describe('monthly totals', () => {
  test('change by the difference of two states, sorted by key and without zeros', () => {
    const before = {
      changes: [change('2026-03-02', 'new', 9900, 1)],
      invoices: [invoice({ status: 'open', failedAt: new Date('2026-04-01T00:00:00Z'), paidAt: null, paidCents: 0 })],
    }
    const after = { changes: before.changes, invoices: [invoice({ failedAt: new Date('2026-04-01T00:00:00Z') })] }
    expect(monthlyTotalsDelta(before, before)).toEqual([])
    expect(monthlyTotalsDelta(before, after)).toEqual([
      { currency: 'usd', month: '2026-03-01', plan: 'pro_monthly', name: 'paid', cents: 1000, count: 1 },
      { currency: 'usd', month: '2026-04-01', plan: 'pro_monthly', name: 'failed_open', cents: -1000, count: -1 },
      { currency: 'usd', month: '2026-04-01', plan: 'pro_monthly', name: 'failed_recovered', cents: 1000, count: 1 },
    ])
  })

  test('are kept for each currency, and leave out tax', () => {
    const invoices = [
      invoice({ paidTaxCents: 80 }),
      invoice({ currency: 'eur', paidTaxCents: 167, refundedCents: 600, refundedTaxCents: 100 }),
      invoice({ currency: 'jpy' }),
    ]
    const totals = monthlyTotalsDelta(nothing, { changes: [], invoices })
    expect(totals.map(({ currency, name, cents }) => [currency, name, cents])).toEqual([
      ['eur', 'paid', 833],
      ['eur', 'refunded', 500],
      ['jpy', 'paid', 1000],
      ['usd', 'paid', 920],
    ])
  })

  test('use UTC months', () => {
    expect(monthOf(new Date('2026-04-01T01:30:00+02:00'))).toBe('2026-03-01')
  })
})

describe('the report', () => {
  const changes = [
    change('2026-01-10', 'new', 9900, 1),
    change('2026-02-10', 'new', 9900, 1),
    change('2026-02-20', 'new', 9900, 1),
    change('2026-03-05', 'lost', -9900, -1),
  ]
  const monthlyTotals: MonthlyTotal[] = monthlyTotalsDelta(nothing, { changes, invoices: [] })
  const onSale = ['pro_monthly', 'pro_yearly', 'team_monthly']
  const months = ['2026-01-01', '2026-02-01', '2026-03-01', '2026-04-01']

  test('rounds the sum of yearly amounts once, not each amount', () => {
    // 99.00 a year is 8.25 a month; three of them 24.75.
    expect(revenueReport(onSale, months, [], monthlyTotals).map(({ total }) => total.mrrCents)).toEqual([
      825,
      1650 + 825,
      1650,
      1650,
    ])
    const odd = monthlyTotalsDelta(nothing, { changes: [change('2026-01-10', 'new', 8415, 1)], invoices: [] })
    const three = [odd, odd, odd].flat()
    expect(revenueReport(onSale, ['2026-01-01'], [], three)[0]?.total).toMatchObject({ mrrCents: 2104, customers: 3 })
  })

  test('computes churn from the customers at the start, and null without any', () => {
    const totals = revenueReport(onSale, months, [], monthlyTotals).map(({ total }) => [
      total.customersAtStart,
      total.lost.count,
      total.churn,
    ])
    expect(totals).toEqual([
      [0, 0, null],
      [1, 0, 0],
      [3, 1, 1 / 3],
      [2, 0, 0],
    ])
  })

  test('starts from the totals before its first month', () => {
    const before = [{ plan: 'pro_yearly', cents: 19_800, count: 2 }]
    expect(
      revenueReport(
        onSale,
        ['2026-03-01'],
        before,
        monthlyTotals.filter(({ month }) => month === '2026-03-01'),
      )[0]?.total,
    ).toMatchObject({
      mrrCents: 825,
      customersAtStart: 2,
      customers: 1,
      churn: 0.5,
    })
  })

  test('shows a switch as moved between the plans and as expansion in total', () => {
    const switched = monthlyTotalsDelta(nothing, {
      changes: [
        change('2026-01-10', 'new', 12_000, 1, 'pro_monthly'),
        change('2026-02-10', 'expansion', -12_000, -1, 'pro_monthly'),
        change('2026-02-10', 'expansion', 24_000, 1, 'team_monthly'),
      ],
      invoices: [],
    })
    const [, february] = revenueReport(onSale, ['2026-01-01', '2026-02-01'], [], switched)
    expect(february?.total).toMatchObject({
      mrrCents: 2000,
      expansionCents: 1000,
      moved: 0,
      lost: { count: 0 },
      churn: 0,
    })
    const moved = Object.fromEntries(february?.plans.map(({ plan, revenue }) => [plan, revenue.moved]) ?? [])
    expect(moved).toEqual({ pro_monthly: -1, pro_yearly: 0, team_monthly: 1 })
  })
})
