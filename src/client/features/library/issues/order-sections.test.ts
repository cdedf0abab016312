import { expect, test } from 'vitest'
import type { IssueSection } from '#shared/contracts/library/issues.ts'
import { type Reader, unknownReader } from '#shared/domain/reader.ts'
import { groupLead, orderSections } from './order-sections.ts'

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
  touches: [],
})
const choosing = (...focusAreas: Reader['focusAreas']): Reader => ({ ...unknownReader, focusAreas })

const sections = [
  section('Sort by hand, before you write', ['Operations']),
  section('Know the numbers', ['Finance', 'Sales']),
]

test('a matching section comes first with a reason; the section behind it has none', () => {
  const arranged = orderSections(sections, choosing('Finance'))
  expect(arranged.map(({ heading, reason }) => [heading, reason])).toEqual([
    ['Know the numbers', 'Up front because you chose Finance'],
    ['Sort by hand, before you write', null],
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

test('a matching section that was written first has a reason too', () => {
  expect(orderSections(sections, choosing('Operations', 'Finance')).map(({ reason }) => reason)).toEqual([
    'Up front because you chose Operations',
    null,
  ])
})

test('without a matching section or preferences, no section has a reason', () => {
  for (const reader of [choosing('Technology'), unknownReader]) {
    expect(orderSections(sections, reader).map(({ reason }) => reason)).toEqual([null, null])
  }
})

test('only the first of several moved sections has a reason', () => {
  const run = [section('One', ['Finance']), section('Two', ['Sales']), section('Three', ['Sales'])]
  expect(orderSections(run, choosing('Sales')).map(({ heading, reason }) => [heading, reason])).toEqual([
    ['Two', 'Up front because you chose Sales'],
    ['Three', null],
    ['One', null],
  ])
})

test('steps of the lead are one piece, and each other section is its own', () => {
  const step = (heading: string) => ({ ...section(heading, ['Operations']), partOfLead: true })
  const drop = [step('First'), step('Second'), section('Prompt', ['Sales']), section('Rule', ['Finance'])]
  const pieces = (reader: Reader) =>
    groupLead(orderSections(drop, reader)).map((unit) => unit.map(({ heading }) => heading))
  expect(pieces(unknownReader)).toEqual([['First', 'Second'], ['Prompt'], ['Rule']])
  expect(pieces(choosing('Finance'))).toEqual([['Rule'], ['First', 'Second'], ['Prompt']])
})

test('without a lead, every section is a piece', () => {
  expect(groupLead(orderSections(sections, unknownReader)).map((unit) => unit.length)).toEqual([1, 1])
})
