import { expect, test } from 'vitest'
import { addMark, parseMarks } from './read-issues.ts'

test('anything but a list of ids in storage reads as no marks', () => {
  for (const raw of [null, '', '{', '{"a":1}', '7']) expect(parseMarks(raw)).toEqual([])
  expect(parseMarks('["a",1,null,"b"]')).toEqual(['a', 'b'])
})

test('marking twice changes nothing, and the oldest marks make room', () => {
  const marks = ['a']
  expect(addMark(marks, 'a')).toBe(marks)
  const full = Array.from({ length: 500 }, (_, index) => String(index))
  const after = addMark(full, 'new')
  expect(after).toHaveLength(500)
  expect([after[0], after.at(-1)]).toEqual(['1', 'new'])
})
