import fc from 'fast-check'
import { expect, test } from 'vitest'
import { publicationDefaults } from '../publication-defaults.ts'
import { aiLevels, focusAreas, franchiseTypes, goals } from './preferences.ts'
import { type Rankable, rankSections } from './rank-sections.ts'
import { type Reader, unknownReader } from './reader.ts'

const wordsOf = <const Word extends string>(words: readonly Word[]) => fc.subarray([...words])
const readers: fc.Arbitrary<Reader> = fc.record({
  focusAreas: wordsOf(focusAreas),
  aiLevel: fc.constantFrom(null, ...aiLevels),
  goals: wordsOf(goals),
  franchiseType: fc.constantFrom(null, ...franchiseTypes),
})
const rankable: fc.Arbitrary<Rankable> = fc.record({
  focusAreas: wordsOf(focusAreas),
  aiLevel: fc.constantFrom(null, ...aiLevels),
  goals: wordsOf(goals),
  franchiseTypes: wordsOf(franchiseTypes),
})
const lists = fc.array(rankable, { maxLength: 12 })

const serving: Rankable = { focusAreas: [], aiLevel: null, goals: [], franchiseTypes: [] }
const rank = (sections: Partial<Rankable>[], reader: Partial<Reader>) =>
  rankSections(
    publicationDefaults,
    sections.map((section) => ({ ...serving, ...section })),
    { ...unknownReader, ...reader },
  )

test('every reader gets every section exactly once', () => {
  fc.assert(
    fc.property(lists, readers, (sections, reader) => {
      const { order } = rankSections(publicationDefaults, sections, reader)
      expect([...order].sort((a, b) => a - b)).toEqual(sections.map((_, index) => index))
    }),
  )
})

test('sections that say the same about whom they serve keep the order in which they were written', () => {
  fc.assert(
    fc.property(lists, readers, (sections, reader) => {
      const twice = sections.flatMap((section) => [section, section])
      const { order } = rankSections(publicationDefaults, twice, reader)
      const placeOf = new Map(order.map((index, place) => [index, place]))
      for (let first = 0; first < twice.length; first += 2) {
        expect(placeOf.get(first)).toBeLessThan(placeOf.get(first + 1) ?? -1)
      }
    }),
  )
})

test('the same reader gets the same order, and ordering what is ordered changes nothing', () => {
  fc.assert(
    fc.property(lists, readers, (sections, reader) => {
      const once = rankSections(publicationDefaults, Object.freeze(sections), reader)
      expect(rankSections(publicationDefaults, structuredClone(sections), structuredClone(reader))).toEqual(once)
      const arranged = once.order.flatMap((index) => sections[index] ?? [])
      expect(rankSections(publicationDefaults, arranged, reader).order).toEqual(sections.map((_, index) => index))
    }),
  )
})

test('sections that match a focus area come before all others', () => {
  fc.assert(
    fc.property(lists, readers, (sections, reader) => {
      fc.pre(reader.focusAreas.length > 0)
      const touches = rankSections(publicationDefaults, sections, reader).order.map((index) =>
        sections[index]?.focusAreas.some((area) => reader.focusAreas.some((chosen) => chosen === area)),
      )
      expect(touches).toEqual([...touches].sort((a, b) => Number(b) - Number(a)))
    }),
  )
})

test('a reader who has told nothing gets the order as it was written, without a reason', () => {
  fc.assert(
    fc.property(lists, (sections) => {
      const asWritten = { order: sections.map((_, index) => index), reason: null }
      expect(rankSections(publicationDefaults, sections, unknownReader)).toEqual(asWritten)
    }),
  )
})

/** The reasons that a section may give to a reader, one for each answer of theirs that it touches. */
const personalReasons = (section: Rankable, reader: Reader) => {
  const areas = reader.focusAreas.filter((area) => section.focusAreas.includes(area))
  const goals = reader.goals.filter((goal) => section.goals.includes(goal))
  const level = section.aiLevel !== null && section.aiLevel === reader.aiLevel
  const type = reader.franchiseType !== null && section.franchiseTypes.includes(reader.franchiseType)
  return [
    ...(areas.length > 0 ? [/^Up front because you chose /] : []),
    ...(level ? [/^Up front because it’s for .+ readers like you$/] : []),
    ...(goals.length > 0 ? [/^Up front because you want to /] : []),
    ...(type ? [/^Up front because (your business is |it’s about businesses like yours$)/] : []),
  ]
}

test('the first section states why it comes first, even if the order did not change', () => {
  fc.assert(
    fc.property(lists, readers, (sections, reader) => {
      const { order, reason } = rankSections(publicationDefaults, sections, reader)
      const [first] = order.flatMap((index) => sections[index] ?? [])
      const possible = first ? personalReasons(first, reader) : []
      const changed = order.some((index, place) => index !== place)
      if (possible.length > 0) expect(possible.some((words) => words.test(reason ?? ''))).toBe(true)
      else if (changed) expect(reason).toMatch(/^Up front because it(’s closest to your level, | fits every business$)/)
      else expect(reason).toBeNull()
    }),
  )
})

test('the level decides between sections of one focus area, goals after the level, the franchise type last', () => {
  const reader: Partial<Reader> = {
    focusAreas: ['Sales'],
    aiLevel: 'beginner',
    goals: ['Reduce costs'],
    franchiseType: 'Retail',
  }
  const sections: Partial<Rankable>[] = [
    { focusAreas: ['Finance'], aiLevel: 'beginner', goals: ['Reduce costs'], franchiseTypes: ['Retail'] },
    { focusAreas: ['Sales'], aiLevel: 'advanced', goals: ['Reduce costs'], franchiseTypes: ['Retail'] },
    { focusAreas: ['Sales'], aiLevel: 'beginner', goals: ['Scale operations'], franchiseTypes: ['Retail'] },
    { focusAreas: ['Sales'], aiLevel: 'beginner', goals: ['Reduce costs'], franchiseTypes: ['Services'] },
    { focusAreas: ['Sales'], aiLevel: 'beginner', goals: ['Reduce costs'], franchiseTypes: ['Retail'] },
  ]
  expect(rank(sections, reader).order).toEqual([4, 3, 2, 1, 0])
})

test('what serves everybody stands between what is meant for the reader and what is meant for others', () => {
  const sections: Partial<Rankable>[] = [{ focusAreas: ['Finance'] }, {}, { focusAreas: ['Sales'] }]
  expect(rank(sections, { focusAreas: ['Sales'] }).order).toEqual([2, 1, 0])
})

test('a neighboring level stands before a distant one', () => {
  const sections = (['beginner', 'intermediate', 'advanced'] as const).map((aiLevel) => ({ aiLevel }))
  expect(rank(sections, { aiLevel: 'advanced' }).order).toEqual([2, 1, 0])
  expect(rank(sections, { aiLevel: 'intermediate' }).order).toEqual([1, 0, 2])
})

test.each<[string, Partial<Rankable>[], Partial<Reader>]>([
  [
    'Up front because you chose Sales and Finance',
    [{ focusAreas: ['Marketing'] }, { focusAreas: ['Finance', 'Sales'] }],
    { focusAreas: ['Sales', 'Finance'] },
  ],
  [
    'Up front because it’s for beginner readers like you',
    [
      { focusAreas: ['Sales'], aiLevel: 'advanced' },
      { focusAreas: ['Sales'], aiLevel: 'beginner' },
    ],
    { focusAreas: ['Sales'], aiLevel: 'beginner' },
  ],
  [
    'Up front because it’s closest to your level, advanced',
    [{ aiLevel: 'beginner' }, { aiLevel: 'intermediate' }],
    { aiLevel: 'advanced' },
  ],
  [
    'Up front because you want to reduce costs',
    [{ goals: ['Scale operations'] }, { goals: ['Reduce costs'] }],
    { goals: ['Reduce costs', 'Stay competitive'] },
  ],
  [
    'Up front because your business is Retail',
    [{}, { franchiseTypes: ['Retail', 'Services'] }],
    { franchiseType: 'Retail' },
  ],
  [
    'Up front because it’s about businesses like yours',
    [{}, { franchiseTypes: ['Other'] }],
    { franchiseType: 'Other' },
  ],
  ['Up front because it fits every business', [{ focusAreas: ['Finance'] }, {}], { focusAreas: ['Sales'] }],
])('the reason names what brought the first one forward: %s', (reason, sections, reader) => {
  expect(rank(sections, reader).reason).toBe(reason)
})

test.each<[string, Partial<Rankable>[], Partial<Reader>]>([
  ['Up front because you chose Sales', [{ focusAreas: ['Sales'] }], { focusAreas: ['Sales'] }],
  [
    'Up front because you chose Sales',
    [
      { focusAreas: ['Sales'], aiLevel: 'beginner' },
      { focusAreas: ['Sales'], aiLevel: 'beginner' },
    ],
    { focusAreas: ['Sales'], aiLevel: 'beginner' },
  ],
  [
    'Up front because it’s for beginner readers like you',
    [
      { focusAreas: ['Sales'], aiLevel: 'beginner' },
      { focusAreas: ['Sales'], aiLevel: 'advanced' },
    ],
    { focusAreas: ['Sales'], aiLevel: 'beginner' },
  ],
  [
    'Up front because you want to reduce costs',
    [{ goals: ['Reduce costs'] }, { goals: ['Scale operations'] }],
    { goals: ['Reduce costs'] },
  ],
  ['Up front because your business is Retail', [{ franchiseTypes: ['Retail'] }, {}], { franchiseType: 'Retail' }],
])('where it was written first, the reason names what of it is the reader’s: %s', (reason, sections, reader) => {
  expect(rank(sections, reader)).toEqual({ order: sections.map((_, index) => index), reason })
})

test('what decided gives way to what the reader chose, where the first is only less foreign than the others', () => {
  const sections: Partial<Rankable>[] = [
    { focusAreas: ['Sales'], goals: ['Scale operations'] },
    { focusAreas: ['Sales'], goals: [] },
  ]
  const reader: Partial<Reader> = { focusAreas: ['Sales'], goals: ['Reduce costs'] }
  expect(rank(sections, reader)).toEqual({ order: [1, 0], reason: 'Up front because you chose Sales' })
})

test('an order that was kept says nothing where nothing of the first touches an answer', () => {
  const sections: Partial<Rankable>[] = [{ aiLevel: 'intermediate' }, { focusAreas: ['Finance'], aiLevel: 'beginner' }]
  const reader: Partial<Reader> = { focusAreas: ['Sales'], aiLevel: 'advanced' }
  expect(rank(sections, reader)).toEqual({ order: [0, 1], reason: null })
})

/** Short items with a lead of two to five steps among them, and the first index of the lead. */
const drops = fc
  .record({
    before: fc.array(rankable, { maxLength: 4 }),
    lead: fc.array(rankable, { minLength: 2, maxLength: 5 }),
    after: fc.array(rankable, { maxLength: 6 }),
  })
  .map(({ before, lead, after }) => ({
    sections: [...before, ...lead.map((step) => ({ ...step, partOfLead: true })), ...after],
    first: before.length,
    steps: lead.length,
  }))

test('the lead stays whole and in order for every reader, and every section appears once', () => {
  fc.assert(
    fc.property(drops, readers, ({ sections, first, steps }, reader) => {
      const { order } = rankSections(publicationDefaults, sections, reader)
      expect([...order].sort((a, b) => a - b)).toEqual(sections.map((_, index) => index))
      const place = order.indexOf(first)
      const lead = Array.from({ length: steps }, (_, step) => first + step)
      expect(order.slice(place, place + steps)).toEqual(lead)
    }),
  )
})

test('short items are in the same order with the lead as without it', () => {
  fc.assert(
    fc.property(drops, readers, ({ sections, first, steps }, reader) => {
      const isShort = (index: number) => index < first || index >= first + steps
      const short = sections.map((_, index) => index).filter(isShort)
      const alone = rankSections(
        publicationDefaults,
        short.flatMap((index) => sections[index] ?? []),
        reader,
      ).order.map((place) => short[place])
      expect(rankSections(publicationDefaults, sections, reader).order.filter(isShort)).toEqual(alone)
    }),
  )
})

test('a lead of one step ranks as any section', () => {
  fc.assert(
    fc.property(lists, readers, fc.nat(), (sections, reader, at) => {
      const withLead = sections.map((section, index) => ({ ...section, partOfLead: index === at % sections.length }))
      expect(rankSections(publicationDefaults, withLead, reader)).toEqual(
        rankSections(publicationDefaults, sections, reader),
      )
    }),
  )
})

test('the closest step decides for the whole lead, and the reason names what it shares with the reader', () => {
  const lead = [{ focusAreas: ['Operations'] }, { focusAreas: ['Customer Service'] }]
  const sections: Partial<Rankable>[] = [
    { focusAreas: ['Finance'] },
    ...lead.map((step) => ({ ...step, partOfLead: true })),
    { focusAreas: ['Customer Service'] },
  ]
  expect(rank(sections, { focusAreas: ['Customer Service'] })).toEqual({
    order: [1, 2, 3, 0],
    reason: 'Up front because you chose Customer Service',
  })
})

test('a text without a heading stays first, and the sections after it are ordered', () => {
  const sections = [{ heading: '' }, { heading: 'A' }, { heading: 'B', focusAreas: ['Finance'] }]
  expect(rank(sections, { focusAreas: ['Finance'] })).toEqual({ order: [0, 2, 1], reason: null })
})
