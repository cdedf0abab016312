import { expect, test } from 'vitest'
import { firstRenewal } from './first-renewal.ts'

const at = (day: string) => new Date(`${day}T10:00:00Z`)

test.each([
  ['month', '2027-03-10', '2027-04-10', '2027-03-20', '2027-04-10'],
  ['month', '2027-03-10', '2027-04-10', '2027-04-10', '2027-04-10'],
  ['month', '2027-03-10', '2027-04-10', '2027-04-19', '2027-05-10'],
  ['month', '2027-01-31', '2027-02-28', '2027-03-20', '2027-03-31'],
  ['month', '2027-02-28', '2027-03-31', '2027-04-20', '2027-04-30'],
  ['month', '2027-11-30', '2027-12-30', '2028-02-15', '2028-02-29'],
  ['year', '2026-05-01', '2027-05-01', '2027-05-20', '2028-05-01'],
] as const)('by the %s, %s to %s: the first renewal from %s is on %s', (interval, start, end, from, expected) => {
  const period = { currentPeriodStart: at(start), currentPeriodEnd: at(end), interval, isTrial: false }
  expect(firstRenewal(period, at(from))).toEqual(at(expected))
})

test('the day that a trial began on doesn’t count', () => {
  const period = {
    currentPeriodStart: at('2027-02-25'),
    currentPeriodEnd: at('2027-03-04'),
    interval: 'month' as const,
    isTrial: true,
  }
  expect(firstRenewal(period, at('2027-04-01'))).toEqual(at('2027-04-04'))
})
