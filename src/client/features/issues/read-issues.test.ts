import { expect, test } from 'vitest'
import { addReadId, parseReadIds } from './read-issues.ts'

test('invalid storage content reads as an empty list', () => {
  for (const raw of [null, '', '{', '{"a":1}', '7']) expect(parseReadIds(raw)).toEqual([])
  expect(parseReadIds('["a",1,null,"b"]')).toEqual(['a', 'b'])
})

test('adding an id twice changes nothing, and the oldest ids are dropped', () => {
  const ids = ['a']
  expect(addReadId(ids, 'a')).toBe(ids)
  const full = Array.from({ length: 500 }, (_, index) => String(index))
  const after = addReadId(full, 'new')
  expect(after).toHaveLength(500)
  expect([after[0], after.at(-1)]).toEqual(['1', 'new'])
})
