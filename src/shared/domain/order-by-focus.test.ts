import fc from 'fast-check'
import { expect, test } from 'vitest'
import { orderIssues, orderPromptCategories, orderPrompts } from './order-by-focus.ts'
import { focusAreas } from './preferences.ts'

const areas = fc.uniqueArray(fc.constantFrom(...focusAreas))
const issues = fc.array(areas).map((tagLists) => tagLists.map((tags, index) => ({ id: index, tags })))

test('ordering is a permutation: every issue exactly once', () => {
  fc.assert(
    fc.property(issues, areas, (list, chosen) => {
      const ids = orderIssues(list, chosen).map((issue) => issue.id)
      expect([...ids].sort((a, b) => a - b)).toEqual(list.map((issue) => issue.id))
    }),
  )
})

test('matching issues come first and ties keep the given order', () => {
  fc.assert(
    fc.property(issues, areas, (list, chosen) => {
      const ordered = orderIssues(list, chosen)
      const matches = (issue: { tags: string[] }) => issue.tags.some((tag) => chosen.some((area) => area === tag))
      const firstOther = ordered.findIndex((issue) => !matches(issue))
      const head = firstOther === -1 ? ordered : ordered.slice(0, firstOther)
      const tail = firstOther === -1 ? [] : ordered.slice(firstOther)
      expect(tail.some(matches)).toBe(false)
      for (const group of [head, tail]) {
        const ids = group.map((issue) => issue.id)
        expect(ids).toEqual([...ids].sort((a, b) => a - b))
      }
    }),
  )
})

test('ordering again changes nothing, and the input isn’t modified', () => {
  const list = Object.freeze([
    { id: 1, tags: ['Sales'] },
    { id: 2, tags: ['Finance'] },
  ])
  const once = orderIssues(list, ['Finance'])
  expect(orderIssues(once, ['Finance'])).toEqual(once)
  expect(list[0]?.id).toBe(1)
})

test('categories are ordered by their keys', () => {
  expect(orderPromptCategories([{ key: 'operations' }, { key: 'sales' }], ['sales']).map((c) => c.key)).toEqual([
    'sales',
    'operations',
  ])
})

test('prompts with an example from the reader’s trade come first, and without a trade nothing moves', () => {
  const prompts = [
    { id: 'a', example: null },
    { id: 'b', example: { vertical: 'food' } },
    { id: 'c', example: { vertical: 'salon' } },
    { id: 'd', example: { vertical: 'salon' } },
  ]
  const idsFor = (vertical: string | null) => orderPrompts(prompts, vertical).map(({ id }) => id)
  expect(idsFor('salon')).toEqual(['c', 'd', 'a', 'b'])
  expect(idsFor('automotive')).toEqual(['a', 'b', 'c', 'd'])
  expect(idsFor(null)).toEqual(['a', 'b', 'c', 'd'])
})
