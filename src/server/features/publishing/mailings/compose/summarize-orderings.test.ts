import { expect, test } from 'vitest'
import { unknownReader } from '#shared/domain/reader.ts'
import { publicationDefaults } from '#shared/publication-defaults.ts'
import { buildSection } from '#tests/support/newsletter-email.ts'
import { summarizeOrderings } from './summarize-orderings.ts'

const sections = [
  buildSection({ focusAreas: ['Operations'] }),
  buildSection({ focusAreas: ['Finance'] }),
  buildSection({ focusAreas: ['Sales'] }),
]
const group = (count: number, ...focusAreas: ('Operations' | 'Finance' | 'Sales' | 'Marketing')[]) => ({
  reader: { ...unknownReader, focusAreas },
  count,
})

test('counts orderings, what comes first for each group and why, and whose order is complete', () => {
  const groups = [
    group(5, 'Sales'),
    group(40),
    group(3, 'Sales', 'Finance'),
    group(2, 'Marketing'),
    group(9, 'Operations'),
  ]
  expect(summarizeOrderings(publicationDefaults, sections, groups)).toEqual({
    readers: 59,
    distinctOrderings: 3,
    orders: [
      { order: [0, 1, 2], readers: 51 },
      { order: [2, 0, 1], readers: 5 },
      { order: [1, 2, 0], readers: 3 },
    ],
    firsts: [
      { section: 0, readers: 51 },
      { section: 1, readers: 3 },
      { section: 2, readers: 5 },
    ],
    groups: [
      { reader: unknownReader, readers: 40, first: 0, reason: null },
      {
        reader: group(0, 'Operations').reader,
        readers: 9,
        first: 0,
        reason: 'Up front because you chose Operations',
      },
      { reader: group(0, 'Sales').reader, readers: 5, first: 2, reason: 'Up front because you chose Sales' },
      {
        reader: group(0, 'Sales', 'Finance').reader,
        readers: 3,
        first: 1,
        reason: 'Up front because you chose Finance',
      },
      { reader: group(0, 'Marketing').reader, readers: 2, first: 0, reason: null },
    ],
    complete: 59,
  })
})

test('an issue without sections has one empty ordering, complete for all', () => {
  const overview = summarizeOrderings(publicationDefaults, [], [group(4), group(6, 'Sales')])
  expect(overview).toMatchObject({ readers: 10, distinctOrderings: 1, complete: 10, firsts: [] })
})
