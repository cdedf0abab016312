import { expect, test } from 'vitest'
import type { IssueSection } from '#shared/contracts/issues.ts'
import { type Reader, unknownReader } from '#shared/domain/reader.ts'
import { orderSections } from './order-sections.ts'

const section = (heading: string, focusAreas: IssueSection['focusAreas']): IssueSection => ({
  id: `a-drop--${heading.split(/\W/)[0]?.toLowerCase()}`,
  heading,
  summary: '',
  focusAreas,
  aiLevel: 'beginner',
  goals: [],
  franchiseTypes: [],
  minutes: 5,
  partOfLead: false,
  kind: null,
  html: '',
  examplesHtml: {},
})
const choosing = (...focusAreas: Reader['focusAreas']): Reader => ({ ...unknownReader, focusAreas })

const sections = [
  section('Sort by hand, before you write', ['Operations']),
  section('Know the numbers', ['Finance', 'Sales']),
]

test('a matching section comes first with a reason; the section behind it has none', () => {
  const arranged = orderSections(sections, choosing('Finance'))
  expect(arranged.map(({ heading, isMovedUp, reason }) => [heading, isMovedUp, reason])).toEqual([
    ['Know the numbers', true, 'Up front because you chose Finance'],
    ['Sort by hand, before you write', false, null],
  ])
})

test('anchors are the ids without the slug, and don’t depend on the order', () => {
  const anchors = (reader: Reader) => orderSections(sections, reader).map((each) => each.anchor)
  expect(anchors(unknownReader)).toEqual(['sort', 'know'])
  expect(orderSections(sections, unknownReader).map((each) => each.earlierAnchor)).toEqual([
    '1-sort-by-hand-before-you-write',
    '2-know-the-numbers',
  ])
  expect(anchors(choosing('Finance')).toSorted()).toEqual(anchors(unknownReader).toSorted())
})

test('a matching section that was written first has a reason and isn’t marked as moved up', () => {
  expect(
    orderSections(sections, choosing('Operations', 'Finance')).map((each) => [each.reason, each.isMovedUp]),
  ).toEqual([
    ['Up front because you chose Operations', false],
    [null, false],
  ])
})

test('without a matching section or preferences, no section has a reason', () => {
  for (const reader of [choosing('Technology'), unknownReader]) {
    expect(orderSections(sections, reader).map((each) => [each.reason, each.isMovedUp])).toEqual([
      [null, false],
      [null, false],
    ])
  }
})

test('all moved sections are marked, and only the first has a reason', () => {
  const run = [section('One', ['Finance']), section('Two', ['Sales']), section('Three', ['Sales'])]
  expect(orderSections(run, choosing('Sales')).map((each) => [each.heading, each.isMovedUp, each.reason])).toEqual([
    ['Two', true, 'Up front because you chose Sales'],
    ['Three', true, null],
    ['One', false, null],
  ])
})
