import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import type { RevenueReport } from '#shared/contracts/billing/admin-billing.ts'
import { RevenueChart } from './revenue-chart.tsx'

type Total = RevenueReport['months'][number]['total']

const none = { count: 0, cents: 0 }
const total = (mrrCents: number) =>
  ({ mrrCents, new: none, returned: none, lost: none, expansionCents: 0, contractionCents: 0 }) as unknown as Total

const chartOf = (...cents: number[]) => {
  const months = cents.map((mrr, index) => ({ month: `2026-0${index + 1}`, total: total(mrr), plans: [] }))
  const report = { months, currency: 'usd' } as unknown as RevenueReport
  return renderToStaticMarkup(createElement(RevenueChart, { report, month: '2026-01' }))
}

describe('The chart of revenue', () => {
  test('is a sentence while only one month has figures', () => {
    expect(chartOf(0, 0, 4000)).not.toContain('<svg')
    expect(chartOf(0, 0, 4000)).toContain('One month so far')
  })

  test('is drawn from the second month on', () => {
    expect(chartOf(0, 2000, 4000)).toContain('<svg')
  })
})
