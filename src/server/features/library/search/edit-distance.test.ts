import fc from 'fast-check'
import { expect, test } from 'vitest'
import { editDistance, swappedNeighbors } from './edit-distance.ts'

test.each([
  ['review', 'review', 0],
  ['reveiw', 'review', 1],
  ['comision', 'commission', 2],
  ['', 'abc', 3],
  ['schedule', 'shedule', 1],
])('from %j to %j: %i', (from, to, distance) => {
  expect(editDistance(from, to)).toBe(distance)
})

test('the distance is symmetric, and zero only for equal words', () => {
  const word = fc.string({ unit: 'grapheme', maxLength: 12 })
  fc.assert(
    fc.property(word, word, (a, b) => {
      expect(editDistance(a, b)).toBe(editDistance(b, a))
      expect(editDistance(a, b) === 0).toBe(a === b)
    }),
  )
})

test('every swap of neighbors is one edit away and well-formed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 2, maxLength: 12 }), (word) => {
      for (const swapped of swappedNeighbors(word)) {
        expect(swapped.isWellFormed()).toBe(true)
        expect(editDistance(word, swapped)).toBe(1)
      }
    }),
  )
})
