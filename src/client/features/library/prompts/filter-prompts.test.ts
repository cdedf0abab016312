import { expect, test } from 'vitest'
import type { Prompt } from '#shared/contracts/library/library.ts'
import { filterPrompts, noFilter } from './filter-prompts.ts'

const prompt = (values: Partial<Prompt>): Prompt => ({
  id: 'p',
  title: 'Title',
  when: 'When',
  level: 'beginner',
  minutes: null,
  dataLabel: null,
  focusAreas: ['Operations'],
  touches: [],
  checks: [],
  body: 'Write …',
  example: null,
  ...values,
})
const example = { vertical: 'salon', input: 'i', answer: 'a', mistake: 'm', corrected: 'c' } as const
const note = prompt({ title: 'Closing note', when: 'At the end of a shift', dataLabel: 'none', example })
const plan = prompt({
  title: 'Labor plan',
  when: 'On Mondays',
  body: 'Plan the closing shift for [notes: the holiday]',
  level: 'advanced',
  touches: ['royalty-base'],
  checks: ['Add up the hours'],
})
const prompts = [note, plan]

test('every word must match, in any field and any case', () => {
  expect(filterPrompts(prompts, { ...noFilter, text: 'CLOSING shift' })).toEqual(prompts)
  expect(filterPrompts(prompts, { ...noFilter, text: 'closing mondays' })).toEqual([plan])
})

test('data labels, franchise topics, checks and hints of blanks are found as readers see them', () => {
  expect(filterPrompts(prompts, { ...noFilter, text: 'no personal data' })).toEqual([note])
  for (const text of ['royalty base', 'add up', 'the holiday']) {
    expect(filterPrompts(prompts, { ...noFilter, text })).toEqual([plan])
  }
  expect(filterPrompts(prompts, { ...noFilter, text: 'notes:' })).toEqual([])
})

test('a level or the trade of the example narrows the list, and without a filter all prompts are returned', () => {
  expect(filterPrompts(prompts, { ...noFilter, level: 'advanced' })).toEqual([plan])
  expect(filterPrompts(prompts, { ...noFilter, trade: 'salon' })).toEqual([note])
  expect(filterPrompts(prompts, { ...noFilter, trade: 'salon', level: 'advanced' })).toEqual([])
  expect(filterPrompts(prompts, noFilter)).toEqual(prompts)
})
