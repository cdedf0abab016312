import { expect, test } from 'vitest'
import { filterPrompts, noFilter } from './filter-prompts.ts'

const prompts = [
  { title: 'Closing note', when: 'At the end of a shift', body: 'Write …', level: 'beginner' as const },
  { title: 'Labor plan', when: 'On Mondays', body: 'Plan the closing shift', level: 'advanced' as const },
]

test('every word must match, in any field and any case', () => {
  expect(filterPrompts(prompts, { level: 'all', text: 'CLOSING shift' })).toEqual(prompts)
  expect(filterPrompts(prompts, { level: 'all', text: 'closing mondays' })).toEqual([prompts[1]])
})

test('a level narrows the list, and without a filter all prompts are returned', () => {
  expect(filterPrompts(prompts, { level: 'advanced', text: '' })).toEqual([prompts[1]])
  expect(filterPrompts(prompts, noFilter)).toEqual(prompts)
})
