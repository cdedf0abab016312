import { expect, test } from 'vitest'
import { mergeChanges, mergeLists } from './merge-changes.ts'

test('changes of different values are both kept; of the same value, mine is, and it is named', () => {
  const base = { zone: 'UTC', reply: '', limits: { a: 1, b: 2 } }
  const theirs = { zone: 'UTC', reply: 'desk@example.test', limits: { b: 2, a: 1 } }
  expect(mergeChanges(base, { ...base, zone: 'Europe/Paris' }, theirs)).toEqual({
    merged: { ...theirs, zone: 'Europe/Paris' },
    overlap: [],
  })
  expect(mergeChanges(base, { ...base, reply: 'me@example.test' }, theirs)).toEqual({
    merged: { ...theirs, reply: 'me@example.test' },
    overlap: ['reply'],
  })
  expect(mergeChanges(base, theirs, theirs).overlap).toEqual([])
})

test('entries that one of two people added stay, and those that one removed are gone', () => {
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((id) => ({ id }))
  expect(mergeLists([a, b], [a, c], [a, b, d])).toEqual([c, a, d])
  expect(mergeLists([a], [a, b], [a, b])).toEqual([a, b])
})
