import { expect, test } from 'vitest'
import type { SearchResult } from '#shared/contracts/library/search.ts'
import type { ContentKind } from '#shared/domain/content-items.ts'
import { countOfGroup, groupResults } from './result-groups.ts'

const result = (kind: ContentKind, id: string): SearchResult => ({
  kind,
  id,
  path: '/portal',
  title: { text: id, marks: [] },
  excerpt: { text: '', marks: [] },
  parentTitle: '',
  day: null,
  level: null,
})

test('the group with the best result comes first, and results keep their order', () => {
  const results = [result('prompt', 'a'), result('section', 'b'), result('prompt', 'c'), result('issue', 'd')]
  expect(groupResults(results).map(({ group, results: members }) => [group, members.map(({ id }) => id)])).toEqual([
    ['prompts', ['a', 'c']],
    ['drops', ['b', 'd']],
  ])
  expect(groupResults(results, 1).flatMap(({ results: members }) => members.map(({ id }) => id))).toEqual(['a', 'b'])
})

test('sections and drops are counted together', () => {
  expect(countOfGroup({ section: 3, issue: 1, tool: 2 }, 'drops')).toBe(4)
  expect(countOfGroup({}, 'tools')).toBe(0)
})
