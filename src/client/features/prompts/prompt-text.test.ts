import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countBlanks, filterPrompts, noFilter, splitBlanks } from './prompt-text.ts'

test('blanks are set apart and nothing else is', () => {
  expect(splitBlanks('I am closing [store name] on [date].')).toEqual([
    { text: 'I am closing ', blank: false },
    { text: '[store name]', blank: true },
    { text: ' on ', blank: false },
    { text: '[date]', blank: true },
    { text: '.', blank: false },
  ])
  expect(countBlanks('no blank, [] nor [[this')).toBe(0)
})

test('the parts joined are the prompt to the letter', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('[', ']', 'a', ' ', '\n') }), (body) => {
      expect(
        splitBlanks(body)
          .map((part) => part.text)
          .join(''),
      ).toBe(body)
    }),
  )
})

const prompts = [
  { title: 'Closing note', when: 'At the end of a shift', body: 'Write …', level: 'beginner' as const },
  { title: 'Labor plan', when: 'On Mondays', body: 'Plan the closing shift', level: 'advanced' as const },
]

test('every word must be found, in any field and any case', () => {
  expect(filterPrompts(prompts, { level: 'all', text: 'CLOSING shift' })).toEqual(prompts)
  expect(filterPrompts(prompts, { level: 'all', text: 'closing mondays' })).toEqual([prompts[1]])
})

test('a level narrows the list and no filter leaves it whole', () => {
  expect(filterPrompts(prompts, { level: 'advanced', text: '' })).toEqual([prompts[1]])
  expect(filterPrompts(prompts, noFilter)).toEqual(prompts)
})
