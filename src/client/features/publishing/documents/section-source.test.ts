import fc from 'fast-check'
import { expect, test } from 'vitest'
import { emptySection, type IssueSectionDraft } from '#shared/contracts/publishing/documents.ts'
import { editSource, lineOfSection, type SectionSource, sourceOfSections } from './section-source.ts'

const section = (id: string, heading: string, body: string, more: Partial<IssueSectionDraft> = {}) => ({
  ...emptySection(id),
  heading,
  body,
  ...more,
})
const drop = [
  section('text', '', 'Hello.'),
  section('reviews', 'Reviews', 'Short.\n\nA much longer paragraph.', { summary: 'Kept', openToEveryone: true }),
  section('staff', 'Staff', 'Text.\n\n## Older heading\n\n```\n## code\n```'),
]
const fresh = expect.stringMatching(/^[0-9a-f-]{36}$/)
const brief = ({ sections }: SectionSource) => sections.map(({ id, heading, body }) => [id, heading, body])
const edit = (source: SectionSource, from: string, to: string) => editSource(source, source.text.replace(from, to))

test('the sections of a drop are one text, and its lines lead to the problems of each', () => {
  const source = sourceOfSections(drop)
  expect(source.text.slice(0, 41)).toBe('Hello.\n\n## Reviews\n\nShort.\n\nA much longer')
  expect(lineOfSection(source, 1, 'heading')).toBe(3)
  expect(lineOfSection(source, 1, 'body')).toBe(5)
})

test('an edit changes its own section only', () => {
  const source = edit(sourceOfSections(drop), 'Short.', 'Short and sweet.')
  expect(brief(source)[1]).toEqual(['reviews', 'Reviews', 'Short and sweet.\n\nA much longer paragraph.'])
  expect([source.sections[0], source.sections[2]]).toEqual([drop[0], drop[2]])
  expect(source.sections[2]).toBe(drop[2])
})

test('a line with ## splits a section, and the larger part keeps the id', () => {
  const source = edit(sourceOfSections(drop), 'Short.\n\n', 'Short.\n\n## Long\n\n')
  expect(brief(source).slice(1)).toEqual([
    [fresh, 'Reviews', 'Short.'],
    ['reviews', 'Long', 'A much longer paragraph.'],
    ['staff', 'Staff', drop[2]?.body],
  ])
  expect(source.sections[1]).toMatchObject({ summary: 'Kept' })
  expect(source.sections[2]).toMatchObject({ summary: '', openToEveryone: true })
  const undone = editSource(source, sourceOfSections(drop).text)
  expect(undone.sections).toEqual(drop)
})

test('a heading before another one leaves the other its settings', () => {
  const source = edit(sourceOfSections(drop), '## Reviews', '## Refunds\n\nNew.\n\n## Reviews')
  expect(brief(source).map(([id, heading]) => [id, heading])).toEqual([
    ['text', ''],
    [fresh, 'Refunds'],
    ['reviews', 'Reviews'],
    ['staff', 'Staff'],
  ])
  expect(editSource(source, sourceOfSections(drop).text).sections).toEqual(drop)
})

test('a heading that is removed joins its section with the one before, and undo brings it back as it was', () => {
  const source = edit(sourceOfSections(drop), '## Reviews', 'Reviews')
  expect(brief(source)[0]).toEqual(['reviews', '', 'Hello.\n\nReviews\n\nShort.\n\nA much longer paragraph.'])
  expect(source.sections[0]).toMatchObject({ summary: '', openToEveryone: false })
  expect(editSource(source, sourceOfSections(drop).text).sections.map(({ id }) => id)).toEqual([
    'text',
    'reviews',
    'staff',
  ])
})

test('## in code, in an older section, or without words begins no section', () => {
  const source = sourceOfSections(drop)
  expect(edit(source, '## code', '## more code').sections).toHaveLength(3)
  expect(edit(source, 'Text.', 'Other text.').sections).toHaveLength(3)
  expect(edit(source, 'Hello.', 'Hello.\n\n## ').sections).toHaveLength(3)
  expect(edit(source, 'Hello.', 'Hello.\n\n## A').sections).toHaveLength(4)
})

test('a heading stays while its words are written anew', () => {
  const source = edit(sourceOfSections(drop), '## Reviews', '## ')
  expect(brief(source)[1]?.slice(0, 2)).toEqual(['reviews', ''])
  expect(brief(edit(source, '## \n', '## Ratings\n'))[1]?.slice(0, 2)).toEqual(['reviews', 'Ratings'])
})

test('a drop can begin with a heading, and with nothing', () => {
  expect(brief(editSource(sourceOfSections([]), '## One\n\nText'))).toEqual([[fresh, 'One', 'Text']])
  expect(brief(editSource(sourceOfSections([]), 'Text'))).toEqual([[fresh, '', 'Text']])
  expect(
    brief(editSource(sourceOfSections(drop.slice(1)), `Hi.\n\n${sourceOfSections(drop.slice(1)).text}`))[0],
  ).toEqual([fresh, '', 'Hi.'])
})

test('whatever is typed, ids stay unique and the text stays as it was typed', () => {
  const piece = fc.constantFrom('## ', '\n', '\n\n', 'a', '## New\n\n', '```\n', '#', 'Hello.', ' ')
  const edits = fc.array(fc.tuple(fc.nat(), fc.nat(12), piece), { maxLength: 12 })
  fc.assert(
    fc.property(edits, (list) => {
      let source = sourceOfSections(drop)
      for (const [at, length, insert] of list) {
        const from = at % (source.text.length + 1)
        source = editSource(source, source.text.slice(0, from) + insert + source.text.slice(from + length))
        const ids = source.sections.map(({ id }) => id)
        expect(new Set(ids).size).toBe(ids.length)
        expect(source.ranges).toHaveLength(source.sections.length)
        const shown = source.ranges.map(({ body, to }) => source.text.slice(body, to))
        expect(source.sections.map(({ body }) => body)).toEqual(shown)
        const words = source.sections.map(({ heading, body }) => heading + body).join('')
        expect(words.replaceAll(/[\s#]/g, '')).toBe(source.text.replaceAll(/[\s#]/g, ''))
      }
    }),
    { numRuns: 500 },
  )
})
