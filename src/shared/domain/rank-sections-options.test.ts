import fc from 'fast-check'
import { expect, test } from 'vitest'
import { publicationDefaults } from '../publication-defaults.ts'
import { inOptionOrder, offeredKeys } from './preferences.ts'
import type { Question, QuestionName } from './question-terms.ts'
import { questionDefaults, questionNames } from './questions.ts'
import { type Rankable, rankSections } from './rank-sections.ts'
import type { Reader } from './reader.ts'

type Questions = Record<QuestionName, Question>

/** Any order of the specification's options and added ones, some of them retired. */
const questionIn = (question: QuestionName): fc.Arbitrary<Question> => {
  const { options, ...terms } = questionDefaults[question]
  const keys = [...options.map(({ key }) => key), 'sourdough', 'option_2']
  return fc
    .tuple(
      fc.shuffledSubarray(keys, { minLength: keys.length }),
      fc.array(fc.boolean(), { minLength: keys.length, maxLength: keys.length }),
    )
    .map(([order, retired]) => ({
      ...terms,
      options: order.map((key, at) => ({
        key,
        label: key,
        description: '',
        retired: at > 0 && (retired[at] ?? false),
      })),
    }))
}
const questionSets: fc.Arbitrary<Questions> = fc.record({
  focusAreas: questionIn('focusAreas'),
  aiLevel: questionIn('aiLevel'),
  goals: questionIn('goals'),
  franchiseType: questionIn('franchiseType'),
})
const keysOf = (questions: Questions, question: QuestionName) => questions[question].options.map(({ key }) => key)
const oneOf = (keys: readonly string[]) => fc.constantFrom(null, ...keys)

const cases = questionSets.chain((questions) =>
  fc.record({
    questions: fc.constant(questions),
    reader: fc.record({
      focusAreas: fc.subarray(keysOf(questions, 'focusAreas')),
      aiLevel: oneOf(keysOf(questions, 'aiLevel')),
      goals: fc.subarray(keysOf(questions, 'goals')),
      franchiseType: oneOf(keysOf(questions, 'franchiseType')),
    }) satisfies fc.Arbitrary<Reader>,
    sections: fc.array(
      fc.record({
        focusAreas: fc.subarray(keysOf(questions, 'focusAreas')),
        aiLevel: oneOf(keysOf(questions, 'aiLevel')),
        goals: fc.subarray(keysOf(questions, 'goals')),
        franchiseTypes: fc.subarray(keysOf(questions, 'franchiseType')),
      }) satisfies fc.Arbitrary<Rankable>,
      { maxLength: 7 },
    ),
  }),
)

const rank = (questions: Questions, sections: readonly Rankable[], reader: Reader) =>
  rankSections({ questions }, sections, reader)

/** Every question, with its options changed. */
const mapOptions = (questions: Questions, change: (options: Question['options']) => Question['options']): Questions =>
  Object.fromEntries(
    questionNames.map((name) => [name, { ...questions[name], options: change(questions[name].options) }]),
  ) as Questions

test('with any options, each section is there once, and what is for the reader comes first', () => {
  fc.assert(
    fc.property(cases, ({ questions, reader, sections }) => {
      const { order } = rank(questions, sections, reader)
      expect([...order].sort((a, b) => a - b)).toEqual(sections.map((_, index) => index))
      if (reader.focusAreas.length === 0) return
      const fits = order.map((index) => {
        const areas = sections[index]?.focusAreas ?? []
        return areas.some((area) => reader.focusAreas.includes(area)) ? 0 : areas.length === 0 ? 1 : 2
      })
      expect(fits).toEqual(fits.toSorted())
    }),
  )
})

test('renaming and retiring options changes no order', () => {
  fc.assert(
    fc.property(cases, ({ questions, reader, sections }) => {
      const renamed = mapOptions(questions, (options) => options.map((each, at) => ({ ...each, label: `Word ${at}` })))
      const retired = mapOptions(questions, (options) => options.map((each) => ({ ...each, retired: !each.retired })))
      const { order, reason } = rank(questions, sections, reader)
      expect(rank(renamed, sections, reader).order).toEqual(order)
      expect(rank(retired, sections, reader)).toEqual({ order, reason })
    }),
  )
})

test('the reader’s order follows the order of levels alone, which says how far apart they are', () => {
  fc.assert(
    fc.property(cases, ({ questions, reader, sections }) => {
      const backwards = mapOptions(questions, (options) => options.toReversed())
      expect(rank(backwards, sections, reader).order).toEqual(rank(questions, sections, reader).order)
    }),
  )
  const levels = ['new', 'beginner', 'intermediate', 'advanced']
  const options = levels.map((key) => ({ key, label: key, description: '', retired: key === 'beginner' }))
  const questions = { ...questionDefaults, aiLevel: { ...questionDefaults.aiLevel, options } }
  const at = (aiLevel: string): Rankable => ({ focusAreas: [], aiLevel, goals: [], franchiseTypes: [] })
  const reader = { focusAreas: [], aiLevel: 'new', goals: [], franchiseType: null }
  expect(rank(questions, ['advanced', 'intermediate', 'beginner'].map(at), reader).order).toEqual([2, 1, 0])
})

test('answers are listed in the publisher’s order, and only what is offered or was chosen can be chosen', () => {
  fc.assert(
    fc.property(cases, ({ questions, reader }) => {
      const order = keysOf(questions, 'focusAreas')
      const listed = inOptionOrder({ questions }, 'focusAreas', ['unknown', ...reader.focusAreas].reverse())
      expect(listed).toEqual(order.filter((key) => reader.focusAreas.includes(key)))
      const offered = offeredKeys({ questions }, 'focusAreas', reader.focusAreas)
      for (const { key, retired } of questions.focusAreas.options)
        expect(offered.includes(key)).toBe(!retired || reader.focusAreas.includes(key))
    }),
  )
})

test('the reason names the publisher’s words, without a sentence made for others', () => {
  const options = [{ key: 'Retail', label: 'Café owner', description: '', retired: false }]
  const questions = { ...questionDefaults, franchiseType: { ...questionDefaults.franchiseType, options } }
  const sections = [{ focusAreas: [], aiLevel: null, goals: [], franchiseTypes: ['Retail'] }]
  const reader = { focusAreas: [], aiLevel: null, goals: [], franchiseType: 'Retail' }
  expect(rank(questions, sections, reader).reason).toBe('Up front because you chose Café owner')
  expect(rankSections(publicationDefaults, sections, reader).reason).toBe('Up front because your business is Retail')
})
