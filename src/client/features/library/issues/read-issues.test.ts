import { expect, test } from 'vitest'
import { parseReadIds } from './read-issues.ts'

test('invalid storage content reads as an empty list', () => {
  for (const raw of [null, '', '{', '{"a":1}', '7']) expect(parseReadIds(raw)).toEqual([])
  expect(parseReadIds('["a",1,null,"b"]')).toEqual(['a', 'b'])
})
