import { expect, test } from 'vitest'
import { formatMonth, formatShare, monthsBetween } from './format-revenue.ts'

test('months run from newest to oldest across a new year', () => {
  expect(monthsBetween('2025-11', '2026-02')).toEqual(['2026-02', '2026-01', '2025-12', '2025-11'])
})

test('before the first payment the current month is shown', () => {
  expect(monthsBetween(null, '2026-12')).toEqual(['2026-12'])
})

test('a month is shown by name, in any time zone', () => {
  expect(formatMonth('2026-11')).toBe('Nov 2026')
})

test('a share is a percentage with one digit, or a dash without any customers', () => {
  expect([formatShare(1 / 24), formatShare(0), formatShare(1), formatShare(null)]).toEqual(['4.2%', '0%', '100%', '–'])
})
