import { expect, test } from 'vitest'
import { findNeighbors } from './neighbors.ts'

const list = [{ slug: 'c' }, { slug: 'b' }, { slug: 'a' }]

test('the neighbors are the issues published before and after', () => {
  expect(findNeighbors(list, 'b')).toEqual({ older: { slug: 'a' }, newer: { slug: 'c' } })
  expect(findNeighbors(list, 'c')).toEqual({ older: { slug: 'b' }, newer: undefined })
})

test('an issue that is not in the list has none', () => {
  expect(findNeighbors(list, 'x')).toEqual({ older: undefined, newer: undefined })
})
