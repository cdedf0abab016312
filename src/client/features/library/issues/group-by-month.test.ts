import { expect, test } from 'vitest'
import { groupByMonth } from './group-by-month.ts'

test('months and their issues are newest first, whatever order they come in', () => {
  const dates = ['2026-09-29', '2026-10-06', '2025-10-07', '2026-10-27', '2026-09-01'].map((date) => ({ date }))
  expect(groupByMonth(dates).map(({ title, issues }) => [title, issues.map(({ date }) => date)])).toEqual([
    ['October 2026', ['2026-10-27', '2026-10-06']],
    ['September 2026', ['2026-09-29', '2026-09-01']],
    ['October 2025', ['2025-10-07']],
  ])
})

test('the first and the last day belong to their month in every time zone', () => {
  const days = [{ date: '2026-10-31' }, { date: '2026-10-01' }]
  expect(groupByMonth(days).map(({ title }) => title)).toEqual(['October 2026'])
})

test('without issues there are no months', () => {
  expect(groupByMonth([])).toEqual([])
})
