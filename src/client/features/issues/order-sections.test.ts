import { expect, test } from 'vitest'
import type { IssueSection } from '#shared/contracts/issues.ts'
import { type Reader, unknownReader } from '#shared/domain/reader.ts'
import { orderSections } from './order-sections.ts'

const section = (heading: string, focusAreas: IssueSection['focusAreas']): IssueSection => ({
  heading,
  summary: '',
  focusAreas,
  aiLevel: 'beginner',
  goals: [],
  franchiseTypes: [],
  minutes: 5,
  html: '',
})
const choosing = (...focusAreas: Reader['focusAreas']): Reader => ({ ...unknownReader, focusAreas })

const sections = [
  section('Sort by hand, before you write', ['Operations']),
  section('Know the numbers', ['Finance', 'Sales']),
]

test('a section that fits comes first and says why; the one it overtook says nothing', () => {
  const arranged = orderSections(sections, choosing('Finance'))
  expect(arranged.map(({ heading, broughtForward, reason }) => [heading, broughtForward, reason])).toEqual([
    ['Know the numbers', true, 'Up front because you chose Finance'],
    ['Sort by hand, before you write', false, null],
  ])
})

test('anchors are the same in every order', () => {
  const anchors = (reader: Reader) => orderSections(sections, reader).map((each) => each.anchor)
  expect(anchors(unknownReader)).toEqual(['1-sort-by-hand-before-you-write', '2-know-the-numbers'])
  expect(anchors(choosing('Finance')).sort()).toEqual(anchors(unknownReader))
})

test('a section that fits and was written first says why, and is not marked as brought forward', () => {
  expect(
    orderSections(sections, choosing('Operations', 'Finance')).map((each) => [each.reason, each.broughtForward]),
  ).toEqual([
    ['Up front because you chose Operations', false],
    [null, false],
  ])
})

test('no reason is given where no section fits, or the reader has told nothing', () => {
  for (const reader of [choosing('Technology'), unknownReader]) {
    expect(orderSections(sections, reader).map((each) => [each.reason, each.broughtForward])).toEqual([
      [null, false],
      [null, false],
    ])
  }
})

test('what was brought forward behind the first one is marked, and the reason stands once', () => {
  const run = [section('One', ['Finance']), section('Two', ['Sales']), section('Three', ['Sales'])]
  expect(orderSections(run, choosing('Sales')).map((each) => [each.heading, each.broughtForward, each.reason])).toEqual(
    [
      ['Two', true, 'Up front because you chose Sales'],
      ['Three', true, null],
      ['One', false, null],
    ],
  )
})
