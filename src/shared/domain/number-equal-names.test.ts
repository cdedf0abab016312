import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nameKey, numberEqualNames } from './number-equal-names.ts'

const named = (...names: string[]) =>
  names.map((name, index) => ({ id: String(index), name, at: new Date(1_000 + index) }))
const shown = (...names: string[]) => numberEqualNames(named(...names)).map(({ name }) => name)

test('equal names get a number; the oldest keeps its own', () => {
  expect(shown('Ads', 'Hiring', 'ads', 'ADS ')).toEqual(['Ads', 'Hiring', 'ads 2', 'ADS  3'])
})

test('a number that someone typed is skipped', () => {
  expect(shown('Ads', 'ads', 'Ads 2')).toEqual(['Ads', 'ads 3', 'Ads 2'])
})

test('names are different afterwards, none is lost, and the order of the list doesn’t matter', () => {
  const name = fc.constantFrom('Ads', 'ads', 'Ads 2', 'Ads 3', 'Hiring', 'ＡＤＳ')
  const list = fc.uniqueArray(
    fc.record({ id: fc.uuid(), name, at: fc.integer({ min: 0, max: 3 }).map((ms) => new Date(ms)) }),
    { selector: ({ id }) => id, maxLength: 12 },
  )
  fc.assert(
    fc.property(list, (all) => {
      const result = numberEqualNames(all)
      expect(new Set(result.map((one) => nameKey(one.name))).size).toBe(all.length)
      expect(numberEqualNames(all.toReversed())).toEqual(result)
    }),
  )
})
