import { expect, test } from 'vitest'
import type { IssueSection } from '#shared/contracts/issues.ts'
import { arrangeSections } from './drop-sections.ts'

const section = (heading: string, focusAreas: IssueSection['focusAreas']): IssueSection => ({
  heading,
  summary: '',
  focusAreas,
  aiLevel: 'beginner',
  minutes: 5,
  html: '',
})

const sections = [
  section('Sort by hand, before you write', ['Operations']),
  section('Know the numbers', ['Finance', 'Sales']),
]

test('a section that fits comes first and says which focus area brought it there', () => {
  const arranged = arrangeSections(sections, ['Finance'])
  expect(arranged.map(({ heading, because }) => [heading, because])).toEqual([
    ['Know the numbers', ['Finance']],
    ['Sort by hand, before you write', []],
  ])
})

test('anchors are the same in every order', () => {
  const anchors = (focus: string[]) =>
    arrangeSections(sections, focus)
      .map((s) => s.anchor)
      .sort()
  expect(anchors(['Finance'])).toEqual(anchors([]))
  expect(anchors([])).toEqual(['1-sort-by-hand-before-you-write', '2-know-the-numbers'])
})

test('no reason is given where every section fits, or none', () => {
  for (const focus of [['Operations', 'Finance'], []]) {
    expect(arrangeSections(sections, focus).flatMap((s) => s.because)).toEqual([])
  }
})

test('a run of sections brought forward alike gives its reason once', () => {
  const run = [section('One', ['Sales']), section('Two', ['Sales']), section('Three', ['Finance'])]
  expect(arrangeSections(run, ['Sales']).map((s) => s.reason)).toEqual(['Up front because you chose Sales', null, null])
})
