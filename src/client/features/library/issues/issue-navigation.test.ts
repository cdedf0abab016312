import { expect, test } from 'vitest'
import { findAdjacentIssues } from './issue-navigation.tsx'

const list = [{ slug: 'c' }, { slug: 'b' }, { slug: 'a' }]

test('the adjacent issues are those published before and after', () => {
  expect(findAdjacentIssues(list, 'b')).toEqual({ older: { slug: 'a' }, newer: { slug: 'c' } })
  expect(findAdjacentIssues(list, 'c')).toEqual({ older: { slug: 'b' }, newer: undefined })
})

test('an unknown issue has no adjacent issues', () => {
  expect(findAdjacentIssues(list, 'x')).toEqual({ older: undefined, newer: undefined })
})
