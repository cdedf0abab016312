import fc from 'fast-check'
import { expect, test } from 'vitest'
import { moveItem } from './move-item.ts'

test('a move keeps every entry once, puts one in its new place, and moving back undoes it', () => {
  const anyMove = fc
    .array(fc.integer(), { minLength: 1, maxLength: 12 })
    .chain((list) => fc.tuple(fc.constant(list), fc.nat(list.length - 1), fc.nat(list.length - 1)))
  fc.assert(
    fc.property(anyMove, ([list, from, to]) => {
      const next = moveItem(list, from, to)
      expect(next[to]).toBe(list[from])
      expect(next.toSorted()).toEqual(list.toSorted())
      expect(moveItem(next, to, from)).toEqual(list)
    }),
  )
})
