import fc from 'fast-check'
import { expect, test } from 'vitest'
import { leftOf } from './balance-credit.ts'

type Transaction = { amount: number; own: boolean }

const ownOf = (all: readonly Transaction[]) => new Set(all.filter(({ own }) => own))

test.each([
  ['nothing was used', [{ amount: -9000, own: true }], 9000],
  [
    'an invoice used a part',
    [
      { amount: -9000, own: true },
      { amount: 8000, own: false },
    ],
    1000,
  ],
  [
    'all of it was used',
    [
      { amount: -2000, own: true },
      { amount: 2000, own: false },
    ],
    0,
  ],
  [
    'an older credit is used first',
    [
      { amount: -500, own: false },
      { amount: -2000, own: true },
      { amount: 800, own: false },
    ],
    1700,
  ],
  [
    'it paid a debt',
    [
      { amount: 300, own: false },
      { amount: -1000, own: true },
    ],
    700,
  ],
  [
    'it was used, and another credit came later',
    [
      { amount: -1000, own: true },
      { amount: 1000, own: false },
      { amount: -700, own: false },
    ],
    0,
  ],
] as const)('what is left of a credit: %s', (_case, all, left) => {
  expect(leftOf(all, ownOf(all))).toBe(left)
})

test('taking back what is left never makes a customer owe money, and never takes another credit', () => {
  const transaction = fc.record({ amount: fc.integer({ min: -1000, max: 1000 }), own: fc.boolean() })
  fc.assert(
    fc.property(fc.array(transaction, { maxLength: 12 }), (given) => {
      const all = given.map(({ amount, own }) => ({ amount, own: own && amount < 0 }))
      const left = leftOf(all, ownOf(all))
      const balance = all.reduce((sum, { amount }) => sum + amount, 0)
      const ownGiven = all.reduce((sum, { amount, own }) => sum - (own ? amount : 0), 0)
      const taken = Math.min(left, Math.max(0, -balance))
      expect(left).toBeLessThanOrEqual(ownGiven)
      expect(balance + taken).toBeLessThanOrEqual(Math.max(0, balance))
      // Once more takes nothing.
      const again = [...all, { amount: taken, own: true }]
      expect(leftOf(again, ownOf(again))).toBe(left - taken)
    }),
  )
})
