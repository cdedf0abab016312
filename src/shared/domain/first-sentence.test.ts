import { describe, expect, test } from 'vitest'
import { splitFirstSentence } from './first-sentence.ts'

describe('the first sentence', () => {
  test('ends at the first period, question mark or exclamation mark before a space', () => {
    expect(splitFirstSentence('Free plan. Count first.')).toEqual({ first: 'Free plan.', rest: ' Count first.' })
    expect(splitFirstSentence('Ready? Go on.')).toEqual({ first: 'Ready?', rest: ' Go on.' })
  })

  test('is the whole text if there is only one, and decimals don’t end it', () => {
    for (const text of ['', 'A fee of 2.5 percent', 'Only one.'])
      expect(splitFirstSentence(text)).toEqual({ first: text, rest: '' })
  })
})
